"""Sinks that are killed or stopped while an alarm rings: when they ring again, what others notice."""
import json
import os
import signal
import time

import service
from table import Row, quantile

CONSOLE = "console"
PROBES = ("lamp", "bell")
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
    kills, stops = (5, 1) if run.quick else (30, 5)
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
        floor=quantile(floor, 0.99), limit=1.1, busy=busy,
        note=f"{len(ours)} alerts; the floor is {len(floor)} with nobody touched",
    )


class Seen:
    """Milliseconds until the victims rang again, and microseconds from due instants to reads."""

    def __init__(self):
        self.again = []
        self.late = {name: [] for name in PROBES}


class Ringing:
    """A daemon whose three sinks are all told of an alarm that rings for as long as this takes."""

    def __init__(self, tools):
        directory = tools.directory("supervision-stamps")
        self.stamps = {name: os.path.join(directory, name) for name in PROBES}
        sections = [f"[plugin {CONSOLE}]\nrun = tocsin-console\nstdout = yes\nformat = json\n"]
        for name, path in self.stamps.items():
            sections.append(f"[plugin {name}]\nrun = {tools.program('stamp')} {path}\n")
        self.daemon = service.Service(
            tools, "supervision",
            "[daemon]\nring-for = 1h\n"
            + "".join(f"{section}receipt-timeout = {TIMEOUT}s\n" for section in sections),
        ).start()
        self.number = 0
        self._schedule([(RINGING, time.time_ns() // 1_000 + 500_000)])
        for name in (CONSOLE,) + PROBES:
            self._await(name, 0)

    def blow(self, victim, blow, seen):
        """Strikes the victim amid alerts for all; waits until it rings again."""
        first = time.time_ns() // 1_000 + 100_000
        beats = []
        for index in range(BEATS):
            beats.append((str(self.number), first + int(index * BEAT * 1e6)))
            self.number += 1
        identities = self._schedule(beats)
        if time.time_ns() // 1_000 >= first:
            raise service.Failure("setting the alarms took too long to begin")
        time.sleep(max(0, first / 1e6 + 5 * BEAT - time.time()))
        if victim:
            before, pid = self._rings(victim), self._pid(victim)
            struck = time.time_ns()
            os.kill(pid, blow)
            seen.again.append((self._await(victim, len(before)) - struck) / 1e6)
        time.sleep(max(0, beats[-1][1] / 1e6 + 0.1 - time.time()))
        self._take(beats, victim, seen)
        for identity in identities:
            self.daemon.ask({"type": "cancel", "alarm": identity})
        time.sleep(APART)

    def _schedule(self, alarms):
        identities = [service.identity() for _ in alarms]
        lines = []
        for identity, (title, due) in zip(identities, alarms, strict=True):
            second = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(due // 1_000_000))
            fixed = f"{second}.{due % 1_000_000:06d}Z"
            alarm = {"id": identity, "title": title, "schedule": {"fixed": fixed}}
            lines.append(json.dumps(alarm).encode())
        self.daemon.fill(lines)
        return identities

    def _take(self, beats, victim, seen):
        """Reads when each alert reached each sink that nobody touched."""
        for name in PROBES:
            if name == victim:
                continue
            at = dict(reversed(self._stamps(name)))
            for title, due in beats:
                if title not in at:
                    raise service.Failure(f"{name} was not told of an alert; {self.daemon.said()}")
                seen.late[name].append(at[title] / 1_000 - due)

    def _stamps(self, name):
        with open(self.stamps[name], encoding="utf-8") as file:
            lines = [line.rpartition(" ") for line in file.read().split("\n")[:-1]]
        return [(title, int(at)) for title, _, at in lines]

    def _rings(self, name):
        """When the sink was told that the alarm rings; of the console only how often it said so."""
        if name == CONSOLE:
            return [0] * self.daemon.said(1 << 24).count(f'"title":"{RINGING}"')
        return [at for title, at in self._stamps(name) if title == RINGING]

    def _await(self, name, count, limit=30):
        """The instant at which it rings once more than `count` times."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if os.path.exists(self.stamps.get(name, "/")) and len(self._rings(name)) > count:
                return time.time_ns() if name == CONSOLE else self._rings(name)[count]
            time.sleep(0.0005)
        raise service.Failure(f"{name} does not ring; {self.daemon.said()}")

    def _pid(self, name):
        for line in self.daemon.ask({"type": "sinks"}):
            if line["type"] == "sink" and line["sink"]["sink"] == name and "pid" in line["sink"]:
                return line["sink"]["pid"]
        raise service.Failure(f"{name} does not run; {self.daemon.said()}")
