"""The same figures of other programs, measured in the same run.

Each is found when a row first asks for it, and kept. Where a peer cannot be measured it has no figure, and
standard error says once why.
"""
import statistics
import subprocess
import sys

import table

from . import alertmanager, libraries, minutes, mosquitto, programs, resident, versions

SQLITE = "APScheduler with SQLite"
SERVERS = ("mosquitto", "alertmanager", "dunst")


class Peers:
    """Figures by the names of programs; {} for none."""

    def __init__(self, run, wanted=True):
        self._run = run
        self._wanted = wanted
        self._seen = {}
        self.left_out = {}

    def lateness(self, quantile):
        """Microseconds from the due instant to the job's stamp; `quantile` is p50 or p99."""
        return self._quantiles({"APScheduler": self._late_library(), **self._late_minutes()}, quantile)

    def durable(self, quantile):
        """Microseconds until a job is set so that it outlives a crash; `quantile` is p50 or p99."""
        kept = self._scale("jobs.db") or {}
        at = self._one("at", minutes.schedule, 20 if self._run.quick else 100)
        return self._quantiles({SQLITE: kept.get("insert"), "at": at}, quantile)

    def insert(self):
        """Microseconds to set a job, the median: 10,000 in memory, 500 (100 if quick) in SQLite."""
        seen = {"APScheduler": self._scale("memory"), SQLITE: self._scale("jobs.db")}
        return {name: statistics.median(costs["insert"]) for name, costs in _there(seen).items()}

    def in_memory(self, what, count):
        """Nanoseconds to `insert` or `cancel` a job where nothing is stored, the median of so many."""
        seen = _there({"APScheduler": self._scale("memory", count)})
        return {name: statistics.median(costs[what]) * 1_000 for name, costs in seen.items()}

    def query(self, count):
        """Milliseconds to tell what comes next of so many entries."""
        seconds = self._one("remind", minutes.query, count)
        return _there({"remind": seconds and seconds * 1_000})

    def fan_out(self, count):
        """Deliveries a second to so many receivers."""
        events = 2_000 if self._run.quick else 10_000
        seen = {
            "mosquitto QoS 1": self._one("mosquitto", mosquitto.fan_out, count, events),
            "Apprise": self._one("Apprise", libraries.fan_out, count, max(100, events // 5 // count)),
        }
        if count == 1:
            seen["alertmanager"] = self._one("alertmanager", alertmanager.fan_out, events // 5)
        return _there(seen)

    def stall(self):
        """Microseconds without a delivery to the others while one receiver hangs for 2 s, or for 10 s."""
        hangs = 2 if self._run.quick else 10
        seen = _there({
            "Apprise": self._one("Apprise", libraries.stall, hangs),
            "mosquitto QoS 1": self._one("mosquitto", mosquitto.stall, hangs),
        })
        return {name: seconds * 1e6 for name, seconds in seen.items()}

    def storm(self):
        """Milliseconds until the last of 10,000 jobs that are due at once has run."""
        return _there({"APScheduler": self._one("APScheduler", libraries.storm, 10_000)})

    def cold_start(self):
        """Milliseconds from exec until it serves, with nothing to load."""
        return _there({name: self._one(name, resident.cold_start, name) for name in SERVERS})

    def wake_ups(self):
        """Context switches in as many seconds as the daemon's are counted in, at rest."""
        return self._one("idle peers", resident.wake_ups, tuple(self._memory())) or {}

    def pss(self):
        """MiB of proportional set size at rest."""
        return {name: used["Pss"] / 1024 for name, used in self._memory().items()}

    def private_dirty(self):
        """MiB of private dirty memory at rest."""
        return {name: used["Private_Dirty"] / 1024 for name, used in self._memory().items()}

    def versions(self):
        """Of what is installed, if anything was measured."""
        return versions.found(self._run) if self._seen else {}

    def _memory(self):
        return _there({name: self._one(name, resident.memory, name) for name in resident.ALL})

    def _late_library(self):
        count, seconds = (200, 2) if self._run.quick else (1_000, 10)
        return self._one("APScheduler", libraries.lateness, count, seconds)

    def _late_minutes(self):
        """These wait for whole minutes, which a quick run does not."""
        if self._run.quick:
            return {}
        seen, why = self._one("at, cron and remind", minutes.lateness) or ({}, {})
        for name, reason in why.items():
            self._leave_out(name, reason)
        return seen

    def _scale(self, place, count=10_000):
        if place == "memory":
            return self._one("APScheduler", libraries.scale, place, count, 60)
        count, seconds = (100, 5) if self._run.quick else (500, 15)
        return self._one(SQLITE, libraries.scale, place, count, seconds)

    def _quantiles(self, seen, quantile):
        share = {"p50": 0.5, "p99": 0.99}[quantile]
        return {name: table.quantile(values, share) for name, values in _there(seen).items()}

    def _one(self, name, measure, *words):
        """What a measurement found, or None if it could not be made; never made twice."""
        if not self._wanted:
            return None
        key = (measure, words)
        if key not in self._seen:
            self._seen[key] = None
            try:
                self._seen[key] = measure(self._run, *words)
            except subprocess.TimeoutExpired as error:
                self._leave_out(name, f"not ready after {error.timeout:.0f} s")
            except (programs.Absent, OSError, ValueError) as error:
                self._leave_out(name, str(error))
        return self._seen[key]

    def _leave_out(self, name, why):
        if self.left_out.get(name) != why:
            self.left_out[name] = why
            print(f"left out: {name}: {why}", file=sys.stderr, flush=True)


def _there(seen):
    return {name: value for name, value in seen.items() if value is not None}
