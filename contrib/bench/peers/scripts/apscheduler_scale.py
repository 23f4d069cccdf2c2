"""What a job costs: apscheduler_scale.py memory|FILE COUNT SECONDS prints µs by `insert` and `cancel`.

With a FILE, jobs are kept in an SQLite database there. Both are lists, one figure for each job; there are
fewer than COUNT if setting them takes longer than SECONDS.
"""
import datetime
import json
import random
import sys
import time

from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler


def ring():
    """What the jobs would do."""


def main(place, count, seconds):
    """Sets jobs for the next days in any order, and cancels them in another."""
    store = MemoryJobStore() if place == "memory" else SQLAlchemyJobStore(f"sqlite:///{place}")
    scheduler = BackgroundScheduler(jobstores={"default": store}, timezone="UTC")
    scheduler.start()
    chance = random.Random(7)
    tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    instants = [
        tomorrow + datetime.timedelta(seconds=chance.randrange(864_000)) for _ in range(int(count))
    ]
    inserts, cancels, jobs = [], [], []
    end = time.monotonic() + float(seconds)
    for instant in instants:
        if time.monotonic() > end:
            break
        start = time.perf_counter_ns()
        jobs.append(scheduler.add_job(ring, "date", run_date=instant).id)
        inserts.append((time.perf_counter_ns() - start) / 1_000)
    chance.shuffle(jobs)
    for job in jobs:
        start = time.perf_counter_ns()
        scheduler.remove_job(job)
        cancels.append((time.perf_counter_ns() - start) / 1_000)
    scheduler.shutdown()
    json.dump({"insert": inserts, "cancel": cancels}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
