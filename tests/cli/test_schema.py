"""What is written as JSON is what the published schema says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from sitediscover.cli.schema import LISTS, RECORDS, json_schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "sitediscover.schema.json"


@pytest.fixture(scope="module")
def published():
    return json.loads(PUBLISHED.read_text(encoding="utf-8"))


def validator(schema, name):
    """Return what checks a document, more strictly than the schema asks: a name that it does not tell is an error."""
    told = json.loads(json.dumps(schema))
    for kind, definition in told["$defs"].items():
        if kind not in RECORDS and kind != RECORDS.get(name, str).__name__ and "properties" in definition:
            definition["additionalProperties"] = False
    told["$defs"][name]["unevaluatedProperties"] = False  # of a record: those of its type, and "schema"
    whole = {"$schema": told["$schema"], "$ref": f"#/$defs/{name}", "$defs": told["$defs"]}
    kind = jsonschema.Draft202012Validator
    kind.check_schema(whole)
    return kind(whole, format_checker=kind.FORMAT_CHECKER)


def test_the_published_schema_is_that_of_the_types(published):
    assert published == json_schema(), "python -m sitediscover.cli.schema > docs/reference/sitediscover.schema.json"


def test_every_attribute_is_described(published):
    bare = [
        f"{name}.{attribute}"
        for name, definition in published["$defs"].items()
        if "Attributes" not in name and definition.get("description")
        for attribute, part in definition.get("properties", {}).items()
        if "description" not in part
    ]
    # These say all there is to say by their names.
    assert [name for name in bare if name.partition(".")[0] not in {"Alternate", "Article", "NewsTags", "Section"}] == [
        *("SitemapImage.url", "SitemapImage.title", "SitemapImage.caption"),
        *("SitemapVideo.url", "SitemapVideo.thumbnail", "SitemapVideo.title", "SitemapVideo.published"),
        *("Stop.reason", "Stop.url", "Stop.detail"),
    ]


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("discovery", ["discover", "www.asahi.example", "--thorough"]),
        ("discovery", ["discover", "apnews.example"]),
        ("discoveries", ["discover", "www.nikkei.example", "http://empty.example", "no site"]),
        ("articles", ["follow", "www.asahi.example"]),
        ("entries", ["walk", "www.asahi.example"]),
        ("entries", ["walk", "http://small.example/mine/half.xml"]),
        ("robots", ["robots", "http://small.example", "/private/"]),
        ("sources", ["watch", "add", "www.yomiuri.example"]),
        ("sources", ["watch", "list"]),
        ("stats", ["watch", "stats"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_document_is_valid(run, published, name, arguments):
    run("watch", "add", "http://small.example")
    document = json.loads(run(*arguments, "--json").stdout)
    validator(published, name).validate(document)
    assert document["schema"] == 1


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("discovery", ["discover", "www.asahi.example", "http://empty.example"]),
        ("article", ["follow", "http://small.example/feed"]),
        ("entry", ["walk", "www.asahi.example"]),
        ("robots", ["robots", "http://small.example"]),
        ("source", ["watch", "list"]),
        ("stats", ["watch", "stats"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_line_is_valid(run, published, name, arguments):
    run("watch", "add", "http://small.example")
    lines = run(*arguments, "--jsonl").stdout.splitlines()
    check = validator(published, name)
    for line in lines:
        check.validate(json.loads(line))
    assert lines


def test_the_strict_check_notices_what_is_wrong(published):
    check = validator(published, "article")
    article = dict.fromkeys(published["$defs"]["Article"]["properties"]) | {"schema": 1, "url": "https://a.example/"}
    check.validate(article)
    for wrong in (
        {**article, "more": 1},
        {**article, "schema": 2},
        {**article, "url": None},
        {"schema": 1, "url": "https://a.example/"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            check.validate(wrong)


def test_each_kind_of_document_stands_in_the_schema(published):
    assert {part["$ref"] for part in published["anyOf"]} == {f"#/$defs/{name}" for name in (*RECORDS, *LISTS)}
