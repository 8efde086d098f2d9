"""What came of one text of a batch: a Discovery, or the bug that a strategy ran into."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from traceback import format_exception

from sitediscover.model import Discovery, Failure, Outcome, Stop, StopReason

STEP = "batch"
"""The step that failures of a batch itself are noted under."""

_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What came of one text.

    Attributes:
        text: the site as it was given.
        discovery: the answer; None where there is an error.
        error: a programming error, of a custom strategy or of ours.
        kept: the answer may go into the checkpoint; not where a worker was lost, the next run may fare better.
    """

    text: str
    discovery: Discovery | None = None
    error: BaseException | None = None
    kept: bool = True


def not_asked(given: object, error: BaseException) -> Discovery:
    """Return the Discovery of a site that could not be asked: STOPPED, unreachable, and the error among its failures.

    NOTHING would claim that somebody has looked.

    Args:
        given: the site as it was given.
        error: why it was not asked.
    """
    name = f"{given if isinstance(given, str) else repr(given):.{_LONGEST}}"
    said = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
    return Discovery(
        site=name,
        outcome=Outcome.STOPPED,
        stopped=Stop(reason=StopReason.UNREACHABLE, url=name, detail=said),
        failures=(Failure(strategy=STEP, url=name, error=said),),
    )


def bug(text: str, error: BaseException) -> Finding:
    """Return a programming error as it can travel between processes: its traceback in a note.

    Args:
        text: the site at which it happened.
        error: what was raised.
    """
    error.add_note(f"while discovering {text!r:.{_LONGEST}}:\n{''.join(format_exception(error))}")
    try:
        # A constructor with arguments of its own makes an error that can be pickled, and breaks a pool when it is not.
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - __reduce__ is anybody's code
        travelling: BaseException = RuntimeError(f"{type(error).__name__}: {error}")
        for note in error.__notes__:
            travelling.add_note(note)
    else:
        travelling = error.with_traceback(None)
    return Finding(text=text, error=travelling)
