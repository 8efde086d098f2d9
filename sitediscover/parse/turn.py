"""Whose turn it is to read a page."""

from __future__ import annotations

import os
import threading

# lxml gives the GIL away for each step and takes it back for each tag: threads that read pages at the same time fight
# for it at every tag, and 32 of them took three times the processor time of one.
ONE_AT_A_TIME = threading.Lock()
"""Held while lxml reads one step of a page."""

if hasattr(os, "register_at_fork"):  # a process pool's children must not inherit a turn that another thread has
    os.register_at_fork(
        before=ONE_AT_A_TIME.acquire,
        after_in_parent=ONE_AT_A_TIME.release,
        after_in_child=ONE_AT_A_TIME.release,
    )
