"""The notebooks of docs/ run from top to bottom in a real kernel, and show what they are there to show."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import nbclient
import nbformat
import pytest

import sitediscover

pytestmark = pytest.mark.slow

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
NAMES = ["explore_a_site", "follow_a_week"]


def cells(name):
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run all notebooks at once, each in a kernel of its own; return the code cells of one as they look afterwards."""
    folder = tmp_path_factory.mktemp("notebooks")
    with pytest.MonkeyPatch.context() as patch:
        # The kernels see the package that is tested, and neither the user's settings nor a network.
        patch.setenv("PYTHONPATH", str(Path(sitediscover.__file__).parents[1]))
        for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
            patch.setenv(variable, str(folder / variable.lower()))
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
            patch.setenv(variable, "http://127.0.0.1:9")
        done = dict(zip(NAMES, asyncio.run(all_executed(folder)), strict=True))

    def cells_of(name):
        if isinstance(done[name], BaseException):
            raise done[name]
        return done[name]

    return cells_of


async def all_executed(folder):
    return await asyncio.gather(*(executed(name, folder) for name in NAMES), return_exceptions=True)


async def executed(name, folder):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    await nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).async_execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cells, kind):
    return ["".join(output.data[kind]) for cell in cells for output in cell.outputs if kind in output.get("data", {})]


# Jupyter's own packages are not ours to keep free of warnings.
@pytest.mark.filterwarnings("ignore")
class TestRun:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_cell_runs_without_a_word_on_stderr(self, run, name):
        noisy = [output.text for cell in run(name) for output in cell.outputs if output.get("name") == "stderr"]
        assert noisy == []
        assert [cell.execution_count for cell in run(name)] == list(range(1, len(run(name)) + 1))

    @pytest.mark.parametrize("name, cards, plots", [("explore_a_site", 4, 3), ("follow_a_week", 1, 1)])
    def test_results_and_plots_are_shown(self, run, name, cards, plots):
        html = shown(run(name), "text/html")
        assert sum("sitediscover-card" in each for each in html) == cards
        assert len(shown(run(name), "image/png")) == plots

    def test_the_week_is_delivered_whole_and_once(self, run):
        printed = "".join(output.text for cell in run("follow_a_week") for output in cell.outputs if "text" in output)
        assert "0 stories missed" in printed
        articles, requests = map(int, re.search(r"(\d+) articles for (\d+) requests", printed).groups())
        assert articles > 700
        assert requests < 200

    def test_the_tree_gives_all_its_news_sitemaps(self, run):
        tables = [html for html in shown(run("explore_a_site"), "text/html") if "news sitemap</th>" in html]
        assert len(tables) == 1
        assert tables[0].count("/sitemaps/news/") >= 8


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_kept_without_outputs(name):
    assert [cell["id"] for cell in cells(name) if cell.get("outputs") or cell.get("execution_count")] == []


@pytest.mark.parametrize("name", NAMES)
def test_text_stands_before_the_code_it_explains(name):
    kinds = [cell["cell_type"] for cell in cells(name)]
    assert kinds[0] == "markdown"
    assert kinds.count("markdown") >= kinds.count("code") - 3
