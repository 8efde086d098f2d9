"""The tree of errors, and its way through a process pool."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from sitediscover import errors
from sitediscover.errors import FetchError, RateLimited, SitediscoverError, SiteStopped

ALL = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SitediscoverError)]


def one_of(kind):
    if issubclass(kind, RateLimited):
        return kind("https://e.example/", "429", retry_after=3.5)
    if issubclass(kind, SiteStopped):
        return kind("rate_limited", "https://e.example/", "429")
    if issubclass(kind, FetchError):
        return kind("https://e.example/", detail="it went wrong")
    return kind("it went wrong")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("kind", ALL)
def test_every_error_survives_pickling_both_ways_with_all_it_tells(kind, protocol):
    error = one_of(kind)
    error.add_note("seen in a worker")
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is kind
    assert (again.args, str(again), vars(again)) == (error.args, str(error), vars(error))


@pytest.mark.parametrize("kind", ALL)
def test_every_error_is_documented_and_stands_in_the_tree(kind):
    assert kind.__doc__.startswith(("Raised ", "Anything "))
    assert f" {kind.__name__} " in f" {errors.__doc__} ".replace("\n", " ")


def test_an_error_of_a_request_names_the_address_first():
    assert str(FetchError("https://e.example/", "no answer")) == "https://e.example/: no answer"
    assert str(FetchError("https://e.example/")) == "https://e.example/"


def test_an_error_crosses_a_pool_unharmed():
    def fail():
        raise RateLimited("https://e.example/", "429", retry_after=60)

    with ThreadPoolExecutor(1) as pool, pytest.raises(RateLimited) as caught:
        pool.submit(fail).result()
    assert caught.value.retry_after == 60


@pytest.mark.parametrize(
    "kind,builtin",
    [
        (errors.InvalidUrl, ValueError),
        (errors.InvalidSite, errors.InvalidUrl),
        (errors.InvalidData, ValueError),
        (errors.MissingPackage, ImportError),
        (errors.UnknownStrategy, LookupError),
        (errors.TlsFailure, errors.Unreachable),
    ],
)
def test_errors_can_be_caught_as_what_python_calls_them(kind, builtin):
    assert issubclass(kind, builtin)
