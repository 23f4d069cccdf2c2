"""APScheduler and Apprise, each in a process of its own."""
import os

from . import programs


def lateness(run, count, seconds):
    """Microseconds from due instants at random to APScheduler's jobs."""
    return programs.script(run, "apscheduler_lateness.py", count, seconds)


def scale(run, place, count, seconds):
    """Microseconds of each `insert` and `cancel` in APScheduler's memory or an SQLite database."""
    if place != "memory":
        place = os.path.join(run.tools.directory("peers-apscheduler"), place)
    seen = programs.script(run, "apscheduler_scale.py", place, count, seconds, timeout=180)
    if not seen["insert"]:
        raise programs.Absent("it set no job in time")
    return seen


def storm(run, count):
    """Milliseconds until the last of so many jobs of one second has run."""
    seen = programs.script(run, "apscheduler_storm.py", count, timeout=120)
    if seen["ran"] != count:
        raise programs.Absent(f"{seen['ran']} of {count} jobs ran")
    return seen["milliseconds"]


def fan_out(run, targets, events):
    """Deliveries a second that Apprise makes in one process."""
    return programs.script(run, "apprise_fan_out.py", targets, events)


def stall(run, seconds):
    """Seconds without a delivery to those targets of Apprise that do not hang."""
    return programs.script(run, "apprise_stall.py", seconds, timeout=seconds + 60)
