"""Alarms due at an instant, what sinks write down of them, and a daemon with beats for two of them."""
import json
import os
import time

import service

PROBES = ("lamp", "bell")


def fixed(title, due, identity=None, **more):
    """An alarm due at an instant in microseconds of the wall clock."""
    second = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(due // 1_000_000))
    return json.dumps({
        "id": identity or service.identity(), "title": str(title),
        "schedule": {"fixed": f"{second}.{due % 1_000_000:06d}Z"}, **more,
    }).encode()


def stamps(path):
    """What the C program `stamp` wrote: titles and nanoseconds, in the order of their arrival."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rpartition(" ") for line in file.read().split("\n")[:-1]]
    return [(title, int(at)) for title, _, at in lines]


class Probed:
    """A daemon with two sinks that write down when an alert reached them, beside others."""

    def __init__(self, tools, name, others, keys=""):
        directory = tools.directory(f"{name}-stamps")
        self.stamps = {probe: os.path.join(directory, probe) for probe in PROBES}
        sections = others + "".join(
            f"[plugin {probe}]\nrun = {tools.program('stamp')} {path}\n{keys}"
            for probe, path in self.stamps.items()
        )
        self.daemon = service.Service(tools, name, f"[daemon]\nring-for = 1h\n{sections}").start()
        self.daemon.wait_for_sinks(sections.count("[plugin "))
        self.number = 0

    def beats(self, count, apart, lead):
        """Sets so many alarms, so many seconds apart: their titles, instants, and identities."""
        first = time.time_ns() // 1_000 + int(lead * 1e6)
        beats = []
        for index in range(count):
            beats.append((str(self.number), first + int(index * apart * 1e6)))
            self.number += 1
        identities = [service.identity() for _ in beats]
        self.daemon.fill([
            fixed(title, due, identity)
            for identity, (title, due) in zip(identities, beats, strict=True)
        ])
        if time.time_ns() // 1_000 >= first:
            raise service.Failure("setting the alarms took too long to begin")
        return beats, identities

    def late(self, beats, probe):
        """Microseconds from the due instants to the probe's first read of each alert."""
        at = dict(reversed(stamps(self.stamps[probe])))
        missing = [title for title, _ in beats if title not in at]
        if missing:
            raise service.Failure(
                f"{probe} was not told of {len(missing)} alerts; {self.daemon.said()}"
            )
        return [at[title] / 1_000 - due for title, due in beats]

    def pid(self, name):
        """The process of a plugin."""
        for line in self.daemon.ask({"type": "sinks"}):
            if line["type"] == "sink" and line["sink"]["sink"] == name and "pid" in line["sink"]:
                return line["sink"]["pid"]
        raise service.Failure(f"{name} does not run; {self.daemon.said()}")
