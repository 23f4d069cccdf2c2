"""Jobs that are all due at once: apscheduler_storm.py COUNT prints `ran` and `milliseconds` to the last."""
import datetime
import itertools
import json
import sys
import time

from apscheduler.schedulers.background import BackgroundScheduler


def main(count):
    """None of them may be dropped for being late."""
    stamps = []
    scheduler = BackgroundScheduler(timezone="UTC", job_defaults={"misfire_grace_time": None})
    scheduler.start(paused=True)
    # Whole seconds, far enough for all to be set.
    due = int(time.time()) + 3 + int(count) // 4_000
    instant = datetime.datetime.fromtimestamp(due, datetime.timezone.utc)
    for _ in itertools.repeat(None, int(count)):
        scheduler.add_job(lambda: stamps.append(time.time_ns()), "date", run_date=instant)
    if time.time() > due:
        sys.exit("setting the jobs took too long to begin")
    scheduler.resume()
    seen, quiet = -1, 0
    while len(stamps) < int(count) and quiet < 100:
        time.sleep(0.05)
        quiet = quiet + 1 if len(stamps) == seen and time.time() > due else 0
        seen = len(stamps)
    scheduler.shutdown(wait=False)
    last = max(stamps, default=0)
    json.dump({"ran": len(stamps), "milliseconds": last / 1e6 - due * 1e3}, sys.stdout)


main(*sys.argv[1:])
