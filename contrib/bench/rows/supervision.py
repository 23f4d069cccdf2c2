"""Sinks that are killed or stopped while an alarm rings: when they ring again, what others notice."""
import os
import signal
import time

import alerts
import service
from alerts import PROBES
from table import Row, quantile

CONSOLE = "console"
RINGING = "Wake up"
# Who is killed later than this after its start did not end at once, so it is no crash loop.
APART = 1.2
# In seconds: how often a plugin is asked while it rings, and what the sections here say of answers.
PING = 2
TIMEOUT = 1
# So many alerts go to all sinks around each blow, so far apart.
BEATS = 50
BEAT = 0.006


def rows(run):
    """Each of three sinks is killed and stopped over and over, while the others get their alerts."""
    kills, stops = (3, 1) if run.quick else (30, 5)
    busy = run.calm()
    ringing = Ringing(run.tools)
    try:
        quiet = Seen()
        for _ in range(kills + stops):
            ringing.blow(None, None, quiet)
        for blow, count, limit in (
            (signal.SIGKILL, kills, 200),
            (signal.SIGSTOP, stops, (PING + TIMEOUT) * 1_000 + 200),
        ):
            for victim in (CONSOLE,) + PROBES:
                seen = Seen()
                for _ in range(count):
                    ringing.blow(victim, blow, seen)
                yield from _rows(f"{blow.name} of {victim}", victim, seen, quiet, limit, busy)
    finally:
        ringing.daemon.remove()


def _rows(what, victim, seen, quiet, limit, busy):
    yield Row(f"{what} while ringing: rings again, p50", quantile(seen.again, 0.5), "ms", busy=busy)
    yield Row(
        f"{what} while ringing: rings again, p99", quantile(seen.again, 0.99), "ms", limit=limit,
        busy=busy, note=f"{len(seen.again)} times",
    )
    others = [name for name in PROBES if name != victim]
    ours = [late for name in others for late in seen.late[name]]
    floor = [late for name in others for late in quiet.late[name]]
    yield Row(
        f"{what}: due instant to the other sinks' read, p99", quantile(ours, 0.99), "µs",
        floor=quantile(floor, 0.99), times=1.1, busy=busy,
        note=f"{len(ours)} alerts; the floor is {len(floor)} with nobody touched",
    )


class Seen:
    """Milliseconds until the victims rang again, and microseconds from due instants to reads."""

    def __init__(self):
        self.again = []
        self.late = {name: [] for name in PROBES}


class Ringing(alerts.Probed):
    """A daemon whose three sinks are all told of an alarm that rings for as long as this takes."""

    def __init__(self, tools):
        keys = f"receipt-timeout = {TIMEOUT}s\n"
        console = f"[plugin {CONSOLE}]\nrun = tocsin-console\nstdout = yes\nformat = json\n{keys}"
        super().__init__(tools, "supervision", console, keys)
        self.daemon.fill([alerts.fixed(RINGING, time.time_ns() // 1_000 + 500_000)])
        for name in (CONSOLE,) + PROBES:
            self._await(name, 0)

    def blow(self, victim, blow, seen):
        """Strikes the victim amid alerts for all; waits until it rings again."""
        beats, identities = self.beats(BEATS, BEAT, lead=0.1)
        time.sleep(max(0, beats[0][1] / 1e6 + 5 * BEAT - time.time()))
        if victim:
            before, pid = self._rings(victim), self.pid(victim)
            struck = time.time_ns()
            os.kill(pid, blow)
            seen.again.append((self._await(victim, len(before)) - struck) / 1e6)
        time.sleep(max(0, beats[-1][1] / 1e6 + 0.1 - time.time()))
        for name in PROBES:
            if name != victim:
                seen.late[name] += self.late(beats, name)
        for identity in identities:
            self.daemon.ask({"type": "cancel", "alarm": identity})
        time.sleep(APART)

    def _rings(self, name):
        """When the sink was told that the alarm rings; of the console only how often it said so."""
        if name == CONSOLE:
            return [0] * self.daemon.said(1 << 24).count(f'"title":"{RINGING}"')
        return [at for title, at in alerts.stamps(self.stamps[name]) if title == RINGING]

    def _await(self, name, count, limit=30):
        """The instant at which it rings once more than `count` times."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if os.path.exists(self.stamps.get(name, "/")) and len(self._rings(name)) > count:
                return time.time_ns() if name == CONSOLE else self._rings(name)[count]
            time.sleep(0.0005)
        raise service.Failure(f"{name} does not ring; {self.daemon.said()}")
