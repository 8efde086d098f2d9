"""How Sphinx builds the documentation."""

from sitediscover import __version__

project = "sitediscover"
author = "The sitediscover developers"
project_copyright = "2026, the sitediscover developers"
version = release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"sitediscover {version}"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# Notebooks are shown as they are kept, without outputs; the tests run them (tests/display/test_notebooks.py).
nb_execution_mode = "off"
# Names in docstrings stand between single backticks, as in Markdown.
default_role = "code"

autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

# Without a network there are no inventories of other projects: their names need not resolve, ours must.
# Private type variables are documented nowhere.
nitpick_ignore_regex = [("py:.*", r"(?!sitediscover\b).*"), ("py:.*", r"sitediscover\..*\b_\w+")]
