"""Programs that stay: what they cost while nothing happens, and how long they take to begin."""
import contextlib
import statistics
import time

import process

from . import alertmanager, desktop, mosquitto, pins, programs

ALL = {
    "mosquitto": mosquitto.resident,
    "alertmanager": alertmanager.resident,
    "dunst": desktop.dunst,
    "alarm-clock-applet": desktop.alarm_clock_applet,
    "gnome-clocks": desktop.gnome_clocks,
    "gpiozero": pins.gpiozero,
    "pigpiod": pins.pigpiod,
}


def memory(run, name):
    """Kilobytes by their names, with no other peer beside it that could share pages."""
    with ALL[name](run) as (child, _):
        time.sleep(1 if run.quick else 5)
        return process.memory(child.pid)


def wake_ups(run, names):
    """Context switches while the daemon's own would be counted, all of them at the same time."""
    with contextlib.ExitStack() as stack:
        pids = {}
        for name in names:
            with contextlib.suppress(programs.Absent):
                child, _ = stack.enter_context(ALL[name](run))
                pids[name] = child.pid
        time.sleep(2 if run.quick else 10)
        before = {name: process.switches_by_thread(pid) for name, pid in pids.items()}
        time.sleep(run.idle_seconds)
        return {name: _since(before[name], pid) for name, pid in pids.items()}


def _since(before, pid):
    after = process.switches_by_thread(pid)
    return sum(count - before.get(thread, 0) for thread, count in after.items())


def cold_start(run, name):
    """Milliseconds from exec until it serves; the median of some starts."""
    times = []
    for _ in range(3 if run.quick else 11):
        with ALL[name](run) as (_, seconds):
            if seconds is None:
                raise programs.Absent("it does not tell when it is ready")
            times.append(seconds * 1_000)
    return statistics.median(times)
