from importlib.metadata import EntryPoint, EntryPoints

import pytest

from sitediscover import DEFAULT_STRATEGIES, Registry, Source, SourceKind
from sitediscover.errors import DuplicateStrategy, UnknownStrategy
from sitediscover.strategies import registry as default_registry
from sitediscover.strategies.registration import ENTRY_POINTS


class Plain:
    name = "plain"

    def discover(self, site):
        yield Source(kind=SourceKind.FEED, url=f"{site.origin}/plain.xml")


def test_a_class_is_registered_by_a_decorator_and_made_anew_for_each_lookup():
    known = Registry()
    assert known.register("mine")(Plain) is Plain
    assert isinstance(known.get("mine"), Plain)
    assert known.get("mine") is not known.get("mine")


def test_an_object_is_registered_by_a_call():
    known, strategy = Registry(), Plain()
    assert known.register("mine", strategy) is strategy
    assert known.get("mine") is strategy


def test_a_function_becomes_a_strategy_of_its_registered_name():
    known = Registry()

    @known.register("mine")
    def find(site):
        yield site

    made = known.get("mine")
    assert made.name == "mine"
    assert list(made.discover("a site")) == ["a site"]


def test_a_name_that_is_taken_raises():
    known = Registry()
    known.register("mine", Plain)
    with pytest.raises(DuplicateStrategy, match="'mine'"):
        known.register("mine", Plain)


def test_an_unknown_name_raises_and_says_which_there_are():
    known = Registry()
    known.register("mine", Plain)
    with pytest.raises(UnknownStrategy, match="no strategy named 'yours'; there are: mine"):
        known.get("yours")


def test_a_name_can_be_forgotten_once():
    known = Registry()
    known.register("mine", Plain)
    known.unregister("mine")
    assert known.names == ()
    with pytest.raises(UnknownStrategy):
        known.unregister("mine")


def test_a_class_is_found_by_its_import_path():
    assert Registry().get("sitediscover.strategies:CommonPaths").name == "common-paths"


@pytest.mark.parametrize(
    "path", ["no.such.module:X", "sitediscover.strategies:NoSuch", ":X", "sitediscover.strategies:CLASSIC_PATHS"]
)
def test_an_import_path_that_leads_to_no_strategy_raises(path):
    with pytest.raises(UnknownStrategy):
        Registry().get(path)


def test_entry_points_are_loaded_when_asked_and_twice_is_once(monkeypatch):
    point = EntryPoint(name="paths", value="sitediscover.strategies:CommonPaths", group=ENTRY_POINTS)
    monkeypatch.setattr("sitediscover.strategies.registration.entry_points", lambda group: EntryPoints([point]))
    known = Registry()
    assert known.names == ()
    assert known.load_entry_points() == ("paths",)
    assert known.load_entry_points() == ()
    assert known.get("paths").name == "common-paths"


def test_the_built_in_strategies_are_registered_under_their_names():
    for strategy in DEFAULT_STRATEGIES:
        assert default_registry.get(strategy.name) is strategy
