"""A year of fifty alarms on a virtual clock."""
import json
import os
import subprocess
import time

import service
from table import Row, median


def rows(run):
    """Fifty daily alarms nobody answers: with snoozes that come by themselves, and without."""
    unanswered = [f'+0s alarm "daily {6 + n // 6:02}:{n % 6 * 10:02}" A{n}' for n in range(50)]
    yield _year(run, "a year of 50 daily alarms, unanswered", unanswered, 365 * 50)
    once = [line + " --ring-for 10m --auto-snooze 0" for line in unanswered]
    yield _year(run, "the same without snoozes", once, 365 * 50)


def _year(run, what, alarms, occurrences):
    path = os.path.join(run.tools.directory("year"), "year")
    with open(path, "w", encoding="utf-8") as file:
        file.write("zone Europe/Berlin\nstart 2027-01-01T00:00:00+01:00\n")
        file.write("\n".join(alarms))
        file.write("\nend 2028-01-01T00:00:00+01:00\n")
    busy = run.calm()
    times = []
    for _ in range(3):
        start = time.monotonic()
        output = subprocess.run(
            [run.tools.binary("tocsin"), "simulate", path],
            check=True, stdout=subprocess.PIPE, env=run.tools.environment, timeout=300,
        ).stdout
        times.append(time.monotonic() - start)
    lines = output.count(b"\n")
    seen = {
        event["occurrence"] for event in map(json.loads, output.splitlines())
        if event["type"] == "alert"
    }
    if len(seen) != occurrences:
        raise service.Failure(f"{what}: {len(seen)} occurrences rang instead of {occurrences}")
    return Row(
        f"simulate: {what}", median(times), "s", limit=1, busy=busy,
        note=f"{lines:,} events, {median(times) / lines * 1e6:.0f} µs each",
    )
