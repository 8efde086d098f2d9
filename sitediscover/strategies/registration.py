"""Strategies by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast, overload

from sitediscover.errors import DuplicateStrategy, UnknownStrategy
from sitediscover.strategies.base import DiscoveryStrategy

if TYPE_CHECKING:
    from sitediscover.model import Source
    from sitediscover.site import Site

ENTRY_POINTS = "sitediscover.strategies"
"""The group of entry points that `load_entry_points` reads."""

StrategyFunction: TypeAlias = "Callable[[Site], Iterable[Source]]"
Registrable: TypeAlias = DiscoveryStrategy | Callable[..., object]
_R = TypeVar("_R", bound=Registrable)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionStrategy:
    """A strategy that is one generator function."""

    name: str
    function: StrategyFunction

    def discover(self, site: Site) -> Iterable[Source]:
        """Yield what the function yields."""
        return self.function(site)


class Registry:
    """Strategies by name. `sitediscover.register` works on the default one.

    What is registered is a class (made anew for each lookup, without arguments), an object with `name` and
    `discover`, or a function that takes a Site and yields Sources.
    """

    def __init__(self) -> None:
        self._known: dict[str, Registrable] = {}

    @overload
    def register(self, name: str) -> Callable[[_R], _R]: ...
    @overload
    def register(self, name: str, strategy: _R) -> _R: ...
    def register(self, name: str, strategy: _R | None = None) -> _R | Callable[[_R], _R]:
        """Register a strategy under a name, as a decorator or by a call.

        Args:
            name: the name it can be asked for by.
            strategy: the class, object or function; left out where this is a decorator.

        Returns:
            The strategy as it was given, or the decorator.

        Raises:
            DuplicateStrategy: the name is taken.
        """
        if strategy is None:
            return lambda decorated: self.register(name, decorated)
        if name in self._known:
            raise DuplicateStrategy(f"a strategy named {name!r} is registered already")
        self._known[name] = strategy
        return strategy

    def unregister(self, name: str) -> None:
        """Forget a name.

        Raises:
            UnknownStrategy: nothing is registered under it.
        """
        if self._known.pop(name, None) is None:
            raise UnknownStrategy(f"no strategy named {name!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """Return the registered names in the order of their registration."""
        return tuple(self._known)

    def get(self, name: str) -> DiscoveryStrategy:
        """Return the strategy of a name.

        Args:
            name: a registered name, or `package.module:Class`.

        Raises:
            UnknownStrategy: there is no such strategy.
        """
        if name in self._known:
            return _made(name, self._known[name])
        if ":" in name:
            return _made(name, _imported(name))
        raise UnknownStrategy(f"no strategy named {name!r}; there are: {', '.join(self._known)}")

    def load_entry_points(self) -> tuple[str, ...]:
        """Register what installed packages offer in the group `sitediscover.strategies`.

        Never called at import: an installed package runs its code only where it is wanted.

        Returns:
            The names that were added; those already registered from the same entry point are left as they are.

        Raises:
            DuplicateStrategy: a name is taken by something else.
        """
        added = []
        for point in entry_points(group=ENTRY_POINTS):
            strategy = point.load()
            if self._known.get(point.name) is not strategy:
                self.register(point.name, strategy)
                added.append(point.name)
        return tuple(added)


def _imported(name: str) -> Registrable:
    module, _, attribute = name.partition(":")
    try:
        found: object = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownStrategy(f"{name!r} cannot be imported: {error}") from error
    return cast("Registrable", found)


def _made(name: str, registered: Registrable) -> DiscoveryStrategy:
    made = registered() if inspect.isclass(registered) else registered
    if hasattr(made, "discover") and hasattr(made, "name"):
        return cast("DiscoveryStrategy", made)
    if callable(made):
        return FunctionStrategy(name=name, function=cast("StrategyFunction", made))
    raise UnknownStrategy(f"{name!r} is no strategy: it lacks `name` or `discover`")
