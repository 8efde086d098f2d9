"""What all tests share."""

from __future__ import annotations

import signal

# A shell starts its background jobs with SIGINT ignored, and programs inherit that; tests send it to those they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
