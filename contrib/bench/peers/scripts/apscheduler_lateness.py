"""Jobs at random instants: apscheduler_lateness.py COUNT SECONDS prints by how many µs each was late."""
import datetime
import json
import random
import sys
import time

from apscheduler.schedulers.background import BackgroundScheduler


def main(count, seconds):
    """As many jobs as asked for, spread evenly by chance."""
    stamps = {}
    scheduler = BackgroundScheduler(timezone="UTC")
    scheduler.start()
    chance = random.Random(7)
    first = time.time() + 1
    instants = sorted(first + chance.random() * float(seconds) for _ in range(int(count)))
    for number, instant in enumerate(instants):
        scheduler.add_job(
            lambda number=number: stamps.setdefault(number, time.time_ns()), "date",
            run_date=datetime.datetime.fromtimestamp(instant, datetime.timezone.utc),
            misfire_grace_time=None,
        )
    if time.time() > first:
        sys.exit("setting the jobs took too long to begin")
    time.sleep(instants[-1] - time.time() + 1)
    scheduler.shutdown()
    # The library keeps microseconds.
    due = [round(instant * 1e6) for instant in instants]
    json.dump([stamps[number] / 1_000 - due[number] for number in range(int(count))], sys.stdout)


main(*sys.argv[1:])
