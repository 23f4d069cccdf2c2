"""Nothing due: wake-ups, memory and libraries of the daemon and the console sink."""
import os
import time

import process
import service
from table import Row

CONSOLE = "[plugin console]\nrun = tocsin-console\nstdout = yes\n"
FORBIDDEN = ("libFoundation.so", "libFoundationInternationalization", "lib_FoundationICU")


def rows(run):
    """10,000 weekly alarms, the same after a restart, and 10,000 timers unless it is to be quick."""
    daemon = service.Service(run.tools, "idle", CONSOLE).start()
    daemon.fill(service.weekly(10_000))
    yield from _state(run, daemon, "10,000 weekly alarms, just set", wakes=False)
    daemon.stop()
    daemon.start()
    _check(daemon.count() == 10_000, "a restart lost alarms")
    yield from _state(run, daemon, "10,000 weekly alarms", wakes=True, peers=run.peers)
    daemon.remove()
    if not run.quick:
        yield from _timers(run)
    daemon = service.Service(run.tools, "empty", CONSOLE).start()
    yield from _state(run, daemon, "no alarm", wakes=False)
    yield _libraries(run, daemon)
    daemon.remove()


def _timers(run):
    daemon = service.Service(run.tools, "timers", CONSOLE).start()
    daemon.fill(service.timers(10_000))
    yield from _state(run, daemon, "10,000 timers, just set", wakes=True)
    daemon.stop()
    daemon.start()
    _check(daemon.count() == 10_000, "a restart lost timers")
    yield from _state(run, daemon, "10,000 timers", wakes=False)
    daemon.remove()


def _state(run, daemon, what, wakes, peers=None):
    pids = [daemon.pid, daemon.sink_pid]
    busy = run.calm()
    note = "" if daemon.settle(pids) else "they did not come to rest within 90 s"
    if wakes:
        before = [process.switches(pid) for pid in pids]
        time.sleep(run.idle_seconds)
        woken = [process.switches(pid) - count for pid, count in zip(pids, before)]
        for name, count in zip(("daemon", "console"), woken):
            yield Row(
                f"idle, {what}: wake-ups of the {name} in {run.idle_seconds} s",
                count, "", limit=0, busy=busy, note=note,
                peers=peers.wake_ups() if peers and name == "daemon" else {},
            )
    used = [process.memory(pid) for pid in pids]
    pss = [each["Pss"] / 1024 for each in used]
    dirty = [each["Private_Dirty"] / 1024 for each in used]
    yield Row(
        f"idle, {what}: PSS of both", sum(pss), "MiB", limit=18, busy=busy,
        note=f"daemon {pss[0]:.1f}, console {pss[1]:.1f} MiB",
        peers=peers.pss() if peers else {},
    )
    yield Row(
        f"idle, {what}: the daemon's private dirty", dirty[0], "MiB", limit=3, busy=busy,
        peers=peers.private_dirty() if peers else {},
    )
    yield Row(f"idle, {what}: the console's private dirty", dirty[1], "MiB", busy=busy)


def _libraries(run, daemon):
    mapped = process.libraries(daemon.pid) | process.libraries(daemon.sink_pid)
    _check(
        any(name.startswith(run.tools.shipped) and "libswiftCore" in name for name in mapped),
        "the runtime beside the binaries is not the one that was loaded",
    )
    found = sorted(
        os.path.basename(name) for name in mapped if os.path.basename(name).startswith(FORBIDDEN)
    )
    return Row(
        "Foundation and ICU libraries loaded", len(found), "", limit=0,
        note=", ".join(found),
    )


def _check(is_right, message):
    if not is_right:
        raise service.Failure(message)
