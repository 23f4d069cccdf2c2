"""From the due instant to a plugin that reads the line, beside a bare timerfd and a pipe."""
import os
import random
import subprocess
import time

import alerts
import service
from table import Row, quantile


def rows(run):
    """As many alarms for the daemon as instants for the floor, in turns."""
    count = 1_000
    stamps = os.path.join(run.tools.directory("stamps"), "stamps")
    daemon = service.Service(
        run.tools, "late", f"[plugin stamp]\nrun = {run.tools.program('stamp')} {stamps}\n"
    ).start()
    busy = run.calm()
    chance = random.Random(7)
    # Alarms have microseconds. The first is due once all are set.
    instant = time.time_ns() // 1_000 + 4_000_000
    instants = []
    for _ in range(2 * count):
        instant += chance.randrange(2_500, 7_500)
        instants.append(instant)
    ours, bare = instants[0::2], instants[1::2]
    with subprocess.Popen(
        [run.tools.program("hop")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as hop:
        run.tools.started(hop)
        hop.stdin.write("".join(f"{due * 1_000}\n" for due in bare))
        hop.stdin.close()
        taken = daemon.fill([alerts.fixed(number, due) for number, due in enumerate(ours)])
        if taken > 3:
            raise service.Failure(f"setting 1,000 alarms took {taken:.1f} s, too long to begin")
        floors = [
            int(line.split()[1]) / 1_000 - due for line, due in zip(hop.stdout, bare, strict=True)
        ]
    seen = {}
    end = time.monotonic() + 30
    while len(seen) < count and time.monotonic() < end:
        time.sleep(0.2)
        seen = _stamps(stamps)
    time.sleep(0.5)
    seen = _stamps(stamps)
    daemon.remove()
    wrong = [number for number in range(count) if len(seen.get(number, [])) != 1]
    if wrong:
        raise service.Failure(f"alarms that did not ring just once: {wrong[:20]}")
    late = [seen[number][0] / 1_000 - due for number, due in enumerate(ours)]
    if min(late) < 0:
        raise service.Failure(f"an alarm rang {-min(late):.0f} µs early")
    for name, share, times in (("p50", 0.5, 2), ("p99", 0.99, 3)):
        yield Row(
            f"due instant to the plugin's read, {name}", quantile(late, share), "µs",
            floor=quantile(floors, share), times=times, busy=busy,
            peers=run.peers.lateness(name),
        )


def _stamps(path):
    seen = {}
    for title, at in alerts.stamps(path):
        seen.setdefault(int(title), []).append(at)
    return seen
