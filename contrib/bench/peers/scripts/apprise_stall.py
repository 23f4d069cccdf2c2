"""One of four targets hangs once: apprise_stall.py SECONDS prints how many seconds others heard nothing."""
import json
import sys
import time

import apprise
from apprise.decorators import notify

EVENTS = 200
HANGS_AT = 100


def main(seconds):
    """The longest time between two deliveries to a target that does nothing wrong."""
    heard, hung = [], []

    @notify(on="hangs")
    def hang(*_, **__):  # pylint: disable=unused-variable
        hung.append(None)
        if len(hung) == HANGS_AT:
            time.sleep(float(seconds))
        return True

    @notify(on="hears")
    def hear(*_, **__):  # pylint: disable=unused-variable
        heard.append(time.monotonic())
        return True

    service = apprise.Apprise()
    for target in ("hangs", "hears", "hears", "hears"):
        service.add(f"{target}://")
    for number in range(EVENTS):
        service.notify(title="Wake up", body=f"event {number}")
    if len(heard) != 3 * EVENTS:
        sys.exit(f"three targets heard {len(heard)} of {3 * EVENTS} events")
    json.dump(max(later - earlier for earlier, later in zip(heard, heard[1:])), sys.stdout)


main(*sys.argv[1:])
