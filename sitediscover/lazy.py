"""A property that is worked out when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


class lazy_property(cached_property[_T]):  # noqa: N801 - a decorator, as the one it is made from
    """`functools.cached_property` without its lock.

    Up to Python 3.11 it holds one lock per class while it works a value out: what asks the network in it would let all
    objects of the class, on all threads, wait for each other (gh-87634).

    Args:
        func: works the value out.
    """

    def __init__(self, func: Callable[[Any], _T]) -> None:
        super().__init__(func)
        self._name = func.__name__

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> _T: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | _T:
        if instance is None:
            return self
        # Found first from then on: this is no data descriptor.
        value = vars(instance)[self._name] = self.func(instance)
        return value
