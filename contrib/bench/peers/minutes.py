"""at, cron and remind: jobs at whole minutes, with spools that are their own."""
import contextlib
import os
import sys
import time

from . import programs

# Jobs of each peer at each minute.
JOBS = 3
MINUTES = 2


def lateness(run):
    """Microseconds from the minute to the job's own stamp, by peer."""
    first = (time.time_ns() // 10**9 + 8) // 60 * 60 + 60
    minutes = [first + 60 * index for index in range(MINUTES)]
    seen, why = {}, {}
    prepared = {}
    for name, prepare in (("at", _at), ("cron", _cron), ("remind", _remind)):
        directory = run.tools.directory(f"peers-{name}")
        try:
            prepared[name] = prepare(run, directory, _stamp(directory), minutes)
        except programs.Absent as error:
            why[name] = str(error)
    children = {}
    with contextlib.ExitStack() as stack:
        for name, command in prepared.items():
            children[name] = stack.enter_context(programs.started(run, command, gently=False))
        time.sleep(max(0, minutes[-1] + 4 - time.time()))
        for name, child in children.items():
            if child.poll() is not None:
                why[name] = f"ended with {child.returncode}: {programs.said(run)}"
    for name in children.keys() - why.keys():
        stamps = _stamps(run.tools.directory(f"peers-{name}"), minutes)
        if len(stamps) == JOBS * MINUTES:
            seen[name] = stamps
        else:
            why[name] = f"{len(stamps)} of {JOBS * MINUTES} jobs ran: {programs.said(run)}"
    return seen, why


def schedule(run, count):
    """Microseconds that each `at` takes, from its start to its end."""
    directory = run.tools.directory("peers-at-schedule")
    command = _own_spool(directory, sys.executable,
                         os.path.join(programs.SCRIPTS, "at_schedule.py"), programs.find("at"),
                         str(count))
    return programs.parsed(run, command)


def query(run, count):
    """Seconds that remind takes to tell what comes next of so many entries."""
    path = os.path.join(run.tools.directory("peers-remind-query"), "reminders")
    day = time.time()
    with open(path, "w", encoding="ascii") as file:
        for number in range(count):
            date = time.strftime("%d %b %Y", time.gmtime(day + 86_400 * (1 + number % 3_000)))
            file.write(f"REM {date} AT {number % 24:02d}:{number % 60:02d} MSG number {number}\n")
    start = time.monotonic()
    text = programs.output(run, [programs.find("remind"), "-n", path])
    taken = time.monotonic() - start
    lines = text.count("\n")
    if lines < count:
        raise programs.Absent(f"remind told {lines} of {count} entries")
    return taken


def _own_spool(directory, *command):
    if os.geteuid() != 0:
        raise programs.Absent("a spool of its own needs root")
    return [programs.find("unshare"), "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
            os.path.join(programs.SCRIPTS, "own-spool"), directory, *command]


def _stamp(directory):
    """A job: it adds the wall clock to a file."""
    path = os.path.join(directory, "stamp")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\nexec date +%s%N >>{directory}/stamps\n")
    os.chmod(path, 0o755)
    # Jobs of at are run from spools of another user's.
    with open(os.path.join(directory, "stamps"), "w", encoding="ascii"):
        return path


def _stamps(directory, minutes):
    """How late each was; cron runs its jobs at each minute, also before the first."""
    late = []
    with open(os.path.join(directory, "stamps"), encoding="ascii") as file:
        for line in file:
            at = int(line) / 1e9
            # Nobody asked for the minutes around them.
            due = round(at / 60) * 60
            if due in minutes:
                late.append((int(line) - due * 10**9) / 1_000)
    return late


def _at(_run, directory, stamp, minutes):
    programs.find("at")
    lines = [
        f"echo {stamp} | at -M -t {time.strftime('%Y%m%d%H%M', time.gmtime(minute))}"
        for minute in minutes for _ in range(JOBS)
    ]
    return _own_spool(directory, "/bin/sh", "-c",
                      "\n".join(lines + [f"exec {programs.find('atd')} -f"]))


def _cron(_run, directory, stamp, _minutes):
    with open(os.path.join(directory, "crontab"), "w", encoding="ascii") as file:
        file.write(f"* * * * * root {stamp}\n" * JOBS)
    return _own_spool(directory, programs.find("cron"), "-f")


def _remind(_run, directory, stamp, minutes):
    path = os.path.join(directory, "reminders")
    with open(path, "w", encoding="ascii") as file:
        for minute in minutes:
            when = time.strftime("%d %b %Y AT %H:%M", time.gmtime(minute))
            file.write(f"REM {when} RUN {stamp}\n" * JOBS)
    return [programs.find("remind"), "-z60", path]
