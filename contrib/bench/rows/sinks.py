"""Nothing presented: wake-ups and memory of the daemon and all four sinks."""
import os
import time

import process
import service
from table import Row

SINKS = ("tocsin-console", "tocsin-alsa", "tocsin-desktop", "tocsin-gpio")


def rows(run):
    """With what ships, and the bedside section taken out of its comment."""
    daemon = service.Service(run.tools, "sinks", _configuration(run.root)).start()
    pids = _wait(daemon)
    busy = run.calm()
    note = "" if daemon.settle(pids.values()) else "they did not come to rest within 90 s"
    before = {name: process.switches(pid) for name, pid in pids.items()}
    time.sleep(run.idle_seconds)
    for name, pid in pids.items():
        yield Row(
            f"idle, all sinks: wake-ups of {name} in {run.idle_seconds} s",
            process.switches(pid) - before[name], "", limit=0, busy=busy, note=note,
        )
    used = {name: process.memory(pid) for name, pid in pids.items()}
    parts = ", ".join(f"{name} {each['Pss'] / 1024:.1f}" for name, each in used.items())
    yield Row(
        "idle, all sinks: PSS together", sum(each["Pss"] for each in used.values()) / 1024, "MiB",
        limit=28, busy=busy, note=parts,
    )
    for name, each in used.items():
        yield Row(
            f"idle, all sinks: private dirty of {name}", each["Private_Dirty"] / 1024, "MiB",
            busy=busy,
        )
    daemon.remove()


def _configuration(root):
    """The lines of the bedside section lose their #."""
    with open(os.path.join(root, "plugins.conf"), encoding="utf-8") as file:
        lines, inside = file.read().split("\n"), False
        for index, line in enumerate(lines):
            inside = line == "#[plugin bedside]" or inside and line.startswith("#")
            if inside:
                lines[index] = line.removeprefix("#")
        return "\n".join(lines)


def _wait(daemon):
    """The processes by their names, once all sinks have said that they are ready."""
    daemon.wait_for_sinks(len(SINKS))
    pids = {"tocsind": daemon.pid}
    for pid in process.children(daemon.pid):
        pids[process.name(pid)] = pid
    if sorted(pids) != sorted(("tocsind",) + SINKS):
        raise service.Failure(f"other processes than expected: {sorted(pids)}")
    return pids
