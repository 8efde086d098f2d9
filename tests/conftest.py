"""What all tests share."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# A shell starts its background jobs with SIGINT ignored, and programs inherit that; tests send it to those they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, and no limit in seconds: a test fails because of what was changed, never by luck or by
# what else the machine does. `pytest --hypothesis-profile=explore` looks for new examples.
_UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, **_UNTIMED)
settings.register_profile("explore", max_examples=5_000, **_UNTIMED)
settings.load_profile("steady")
