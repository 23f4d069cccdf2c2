"""Events to targets in one process: apprise_fan_out.py TARGETS EVENTS prints deliveries a second."""
import json
import sys
import time

import apprise
from apprise.decorators import notify


def main(targets, events):
    """Each target only counts; an event is over when all of them have returned."""
    counts = [0] * int(targets)

    def add(index):
        @notify(on=f"count{index}")
        def count(*_, **__):  # pylint: disable=unused-variable
            counts[index] += 1
            return True

    service = apprise.Apprise()
    for index in range(len(counts)):
        add(index)
        service.add(f"count{index}://")
    start = time.perf_counter()
    for number in range(int(events)):
        if not service.notify(title="Wake up", body=f"event {number}"):
            sys.exit("an event was not delivered")
    taken = time.perf_counter() - start
    if counts != [int(events)] * len(counts):
        sys.exit(f"targets saw {counts} events")
    json.dump(sum(counts) / taken, sys.stdout)


main(*sys.argv[1:])
