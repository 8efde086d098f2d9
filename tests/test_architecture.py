"""The house keeps its order: who may import whom, who knows which library, how large a thing may grow."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import sitediscover

PACKAGE = Path(sitediscover.__file__).parent

# Imports point from later rows to earlier ones, or to a neighbour in the row. A name stands for the module, or for
# the folder and everything in it.
ROWS = (
    ("_version", "errors", "lazy"),
    ("serial", "display"),
    ("entry", "model"),
    ("hosts",),
    ("urls",),
    ("dates", "identity"),
    ("paths", "shapes", "words"),
    ("judge",),
    ("platform_rules", "platforms"),
    ("parse",),
    ("fetch",),
    ("links",),
    ("reading",),
    ("front", "survey", "visit"),
    ("site",),
    ("strategies",),
    ("discoverer",),
    ("walk",),
    ("follower",),
    ("follow",),
    ("watch",),
    ("batch",),
    ("testing", "demo"),
    ("cli", "__main__"),
    ("__init__",),
)

# Who may import a library; anything that is not named here is free to all.
KNOWN_BY = {
    "requests": {"fetch", "testing", "demo"},
    "urllib3": {"fetch", "testing", "demo"},
    "defusedxml": {"parse"},
    "lxml": {"parse"},
    "feedparser": {"parse"},
    "protego": {"parse"},
    "reppy": {"parse"},
    "click": {"cli"},
    "publicsuffixlist": {"hosts"},
    "idna": {"hosts"},
    "matplotlib": {"display"},
    "pandas": {"display", "model", "walk", "watch"},  # the last three only name the type of a frame
}

# What draws results is called by their own classes, so it stands below them. It names their types, to be checked, and
# imports nothing of them when it runs.
DRAWS = "display"

MODULE_LINES = 300
FUNCTION_LINES = 40  # without the docstring
FUNCTION_BRANCHES = 10
PUBLIC_NAMES = 40
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Module:
    """A module as it stands in the file."""

    name: str  # without the package: "parse.robots", "__init__"
    path: Path
    tree: ast.Module
    at_load: set[str] = field(default_factory=set)  # imported as soon as the module is
    inside: set[str] = field(default_factory=set)  # imported inside a function
    for_types: set[str] = field(default_factory=set)  # imported under TYPE_CHECKING


@cache
def modules() -> dict[str, Module]:
    """Return every module of the package by its name, with what it imports."""
    read = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        dotted = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        name = dotted.removesuffix(".__init__")
        read[name] = Module(name, path, ast.parse(path.read_text(encoding="utf-8"), str(path)))
    for module in read.values():
        collect(module, module.tree, module.at_load, set(read))
    return read


def collect(module: Module, node: ast.AST, target: set[str], known: set[str]) -> None:
    """Sort the imports below a node into those made at load, inside functions, and for types."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            target |= {own(name, known) for name in names(module, child)}
        elif isinstance(child, _FUNCTIONS):
            collect(module, child, module.inside, known)
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for statement in child.body:
                collect(module, ast.Module([statement], []), module.for_types, known)
        else:
            collect(module, child, target, known)


def names(module: Module, node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the dotted names that an import statement asks for."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, f"{module.path}:{node.lineno}: a relative import"
    return [f"{node.module}.{alias.name}" for alias in node.names]


def own(dotted: str, known: set[str]) -> str:
    """Return `:parse.robots` for a module of ours, the top-level name of anything else."""
    top, _, rest = dotted.partition(".")
    if top != PACKAGE.name:
        return top
    while rest and rest not in known:
        rest = rest.rpartition(".")[0]
    return f":{rest or '__init__'}"


def ours(imported: set[str]) -> set[str]:
    """Return the modules of the package among these."""
    return {name[1:] for name in imported if name.startswith(":")}


def room(name: str) -> str:
    """Return the part of the name that stands in a row."""
    return name.partition(".")[0]


def row(name: str) -> int:
    """Return the row that a module stands in."""
    return next((number for number, row in enumerate(ROWS) if room(name) in row), len(ROWS))


def upwards(kind: str) -> list[str]:
    """Return the imports of a kind that point to a later row, as readable texts."""
    return [
        f"{module.name} imports {other}"
        for module in modules().values()
        for other in sorted(ours(getattr(module, kind)))
        if row(other) > row(module.name) and not (kind == "for_types" and room(module.name) == DRAWS)
    ]


def test_every_module_stands_in_a_row():
    standing = {name for row in ROWS for name in row}
    assert sorted(name for name in modules() if room(name) not in standing) == []


def test_no_room_stands_in_two_rows():
    standing = [name for row in ROWS for name in row]
    assert len(standing) == len(set(standing))


@pytest.mark.parametrize("kind", ["at_load", "inside", "for_types"])
def test_imports_point_to_earlier_rows(kind):
    assert upwards(kind) == []


def test_there_are_no_import_cycles():
    graph = {
        module.name: {other for other in ours(module.at_load | module.inside) if other != module.name}
        for module in modules().values()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' <- '.join(error.args[1])}")


def test_each_library_is_known_in_its_room_only():
    strangers = [
        f"{module.name} imports {library}"
        for module in modules().values()
        for library in sorted((module.at_load | module.inside | module.for_types) & set(KNOWN_BY))
        if room(module.name) not in KNOWN_BY[library]
    ]
    assert strangers == []


@pytest.mark.parametrize("library", ["pandas", "numpy", "matplotlib"])
def test_the_libraries_of_an_extra_are_imported_inside_functions_only(library):
    assert [module.name for module in modules().values() if library in module.at_load] == []


def test_a_module_past_300_lines_is_two_things():
    sizes = {module.name: len(module.path.read_text(encoding="utf-8").splitlines()) for module in modules().values()}
    assert {name: size for name, size in sizes.items() if size > MODULE_LINES} == {}


def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return every function of the package with the place it stands at."""
    return [
        (f"{module.name}:{node.lineno} {node.name}", node)
        for module in modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, _FUNCTIONS)
    ]


def lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines a function has, its docstring and decorators left aside."""
    docstring = node.body[0] if ast.get_docstring(node) is not None else None
    return node.end_lineno - node.lineno + 1 - (docstring.end_lineno - docstring.lineno + 1 if docstring else 0)


def branches(node: ast.AST) -> int:
    """Return how many branches a function has, those of functions inside it left aside."""
    below = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _FUNCTIONS)]
    return sum(isinstance(child, _BRANCHES) + branches(child) for child in below)


def test_a_function_past_40_lines_is_two_things():
    assert [f"{place}: {lines(node)}" for place, node in functions() if lines(node) > FUNCTION_LINES] == []


def test_no_function_has_over_10_branches():
    assert [f"{place}: {branches(node)}" for place, node in functions() if branches(node) > FUNCTION_BRANCHES] == []


def test_exported_names_are_sorted_and_few():
    # Constants, classes, functions: the order that ruff's RUF022 writes.
    order = sorted(sitediscover.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert list(sitediscover.__all__) == order
    assert len(set(sitediscover.__all__)) == len(sitediscover.__all__) <= PUBLIC_NAMES


def test_an_exported_name_is_imported_when_it_is_asked_for():
    asked_for = "import sys, sitediscover; assert 'requests' not in sys.modules; sitediscover.discover; print('requests' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked_for], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
    assert set(sitediscover.__all__) <= set(dir(sitediscover))
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = sitediscover.no_such_name


def test_a_function_is_not_shadowed_by_the_module_it_lives_in():
    modules_of_names = {
        name for name in sitediscover.__all__ if (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()
    }
    assert modules_of_names == {"follow"}
    assert callable(sitediscover.follow)


@pytest.mark.parametrize("name", [name for name in getattr(sitediscover, "__all__", ()) if not name.startswith("__")])
def test_an_exported_name_exists_and_is_documented(name):
    value = getattr(sitediscover, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert value.__doc__
        assert not value.__doc__.startswith(f"{name}("), "the docstring that dataclass makes up"
    elif not inspect.ismodule(value):
        assert name in documented_values(), "a value is documented by a text below its assignment"


@cache
def documented_values() -> set[str]:
    """Return the names that are assigned at the top of a module with a text right below."""
    found = set()
    for module in modules().values():
        for above, below in zip(module.tree.body, module.tree.body[1:], strict=False):
            is_text = isinstance(below, ast.Expr) and isinstance(getattr(below.value, "value", None), str)
            if is_text and isinstance(above, ast.Assign | ast.AnnAssign):
                targets = above.targets if isinstance(above, ast.Assign) else [above.target]
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_package_itself_holds_re_exports_only():
    tree = modules()["__init__"].tree
    assert {type(node).__name__ for node in tree.body} <= {"Expr", "ImportFrom", "Assign", "If"}
    assert [node.name for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)] == ["__getattr__", "__dir__"]
