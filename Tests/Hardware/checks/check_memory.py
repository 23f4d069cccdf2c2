"""No memory left: what eats it ends, the daemon stays, and the alarm goes on ringing."""
import os
import re
import time

import machine
from cards import Ear
from report import check, expect, wait_for
from sections import CONSOLE, speaker
from service import Daemon

UNIT = os.path.join(os.path.dirname(__file__), "../../../contrib/systemd/tocsin.service")

# A plugin that says `ready` and takes memory when something rings, as fast as it can or until it may not.
TAKE = """
taken = []
while True:
    taken.append(bytearray(16 << 20))
    taken[-1][::4096] = bytes((16 << 20) // 4096)
"""
GLUTTON = """#!/usr/bin/python3
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "glutton"}), flush=True)
    if event["type"] == "ping":
        print(json.dumps({"type": "pong"}), flush=True)
    if event["type"] == "alert" or event.get("presentations"):
        exec(TAKE)
""".replace("TAKE", repr(TAKE))


def glutton(*lines):
    """A section with that plugin."""
    path = "/run/scratch/glutton"
    with open(path, "w", encoding="ascii") as file:
        file.write(GLUTTON)
    os.chmod(path, 0o755)
    return "\n".join([f"run = {path}", *lines])


def standing(pid):
    """Where the kernel has a process when memory runs out: the more, the earlier it ends."""
    return int(machine.read(f"/proc/{pid}/oom_score_adj"))


def unit_standing():
    """What the machine's unit gives the daemon."""
    with open(UNIT, encoding="utf-8") as file:
        return re.search(r"^OOMScoreAdjust=(-?\d+)$", file.read(), re.M)[1]


class Kills:
    """How many processes the kernel has ended for want of memory."""

    def __init__(self):
        self.before = self._count()

    @staticmethod
    def _count():
        with open("/proc/vmstat", encoding="ascii") as file:
            return int(re.search(r"^oom_kill (\d+)", file.read(), re.M)[1])

    def since(self):
        """Since this was made."""
        return self._count() - self.before


class Group:
    """A cgroup with a limit of memory, as a service manager sets it with MemoryMax."""

    _root = "/sys/fs/cgroup"

    def __init__(self, megabytes):
        if not os.path.exists(f"{self._root}/cgroup.controllers"):
            os.makedirs(self._root, exist_ok=True)
            os.system(f"mount -t cgroup2 cgroup2 {self._root}")
        machine.write(f"{self._root}/cgroup.subtree_control", "+memory")
        self.path = f"{self._root}/tocsin"
        os.makedirs(self.path, exist_ok=True)
        machine.write(f"{self.path}/memory.max", str(megabytes << 20))
        machine.ends(self)

    def join(self):
        """Puts the calling process into it."""
        machine.write(f"{self.path}/cgroup.procs", str(os.getpid()))

    def kills(self):
        """How many processes were ended in it."""
        return int(re.search(r"^oom_kill (\d+)", machine.read(f"{self.path}/memory.events"), re.M)[1])

    def end(self):
        """Removes it."""
        wait_for("the group is empty", lambda: not machine.read(f"{self.path}/cgroup.procs"))
        os.rmdir(self.path)


def expect_ringing(daemon, ear, pid):
    """Expects the same daemon with the same alarm ringing, heard."""
    expect(daemon.child.poll() is None and daemon.child.pid == pid, "the daemon ended")
    states = [line["alarm"]["state"] for line in daemon.ask("list")[:-1]]
    expect(states == ["alerting"], f"{states}")
    wait_for("it is heard", ear.is_loud)


def stop_all(daemon, ear):
    """Stops what rings; it is silent at once."""
    stamp = time.monotonic_ns()
    daemon.ask("stop", target="all")
    quiet = (ear.wait_quiet(stamp) - stamp) / 1e9
    expect(quiet < 0.1, f"it sounded for {quiet:.3f} s more")


@check("a plugin that takes all memory it may have: it ends and is started again, the others ring on")
def limited():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker(), glutton=glutton("memory-limit = 256M")).start()
    pid = daemon.child.pid
    daemon.ring()
    wait_for("it was started again", lambda: daemon.sinks()["glutton"]["restarts"] >= 2, limit=60)
    expect_ringing(daemon, ear, pid)
    restarts = daemon.sinks()["speaker"]["restarts"]
    expect(restarts == 0, f"the loudspeaker was restarted {restarts} times")
    stop_all(daemon, ear)


@check("a plugin that takes all memory of the service's cgroup: the kernel ends it, and not the daemon")
def grouped():
    ear, group = Ear("Bedside"), Group(96)
    daemon = Daemon(speaker=speaker(), console=CONSOLE, glutton=glutton())
    daemon.before = group.join
    daemon.start()
    pid = daemon.child.pid
    daemon.ring()
    wait_for("it was ended twice", lambda: group.kills() >= 2, limit=60)
    expect_ringing(daemon, ear, pid)
    for name in ("speaker", "console"):
        restarts = daemon.sinks()[name]["restarts"]
        expect(restarts == 0, f"{name} was restarted {restarts} times")
    stop_all(daemon, ear)
    return f"{group.kills()} times"


@check("no memory in the whole machine: the kernel ends the plugin that has it, and it rings on")
def everything():
    ear, kills = Ear("Bedside"), Kills()
    daemon = Daemon(speaker=speaker(), glutton=glutton())
    daemon.before = lambda: machine.write("/proc/self/oom_score_adj", unit_standing())
    daemon.start()
    pid = daemon.child.pid
    daemon.ring()
    wait_for("it was ended", lambda: kills.since() >= 1, limit=60)
    expect_ringing(daemon, ear, pid)
    stop_all(daemon, ear)
    sinks = daemon.sinks()
    scores = {name: standing(sinks[name]["pid"]) for name in sinks if sinks[name].get("pid")}
    expect(all(score == 0 for score in scores.values()), f"plugins stand at {scores}")
    expect(standing(pid) == int(unit_standing()), f"the daemon stands at {standing(pid)}")
    return f"{kills.since()} times"


@check("another program that takes all memory: the daemon outlives it, and it rings on")
def another():
    ear, kills = Ear("Bedside"), Kills()
    daemon = Daemon(speaker=speaker())
    daemon.before = lambda: machine.write("/proc/self/oom_score_adj", unit_standing())
    daemon.start()
    pid = daemon.child.pid
    daemon.ring()
    hungry = os.fork()
    if hungry == 0:
        exec(TAKE)  # pylint: disable=exec-used
    expect(os.WTERMSIG(os.waitpid(hungry, 0)[1]) == 9, "it was not killed")
    expect(kills.since() >= 1, "nothing was ended for want of memory")
    expect_ringing(daemon, ear, pid)
    stop_all(daemon, ear)
