"""Measures everything and prints the table; contrib/bench/run prepares what it needs."""
import argparse
import datetime
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import machine
import peers
import table
from peers import programs
from service import Failure

ROWS = [
    "idle", "sinks", "lateness", "supervision", "isolation", "fanout", "storm", "durability", "engine",
    "scale", "year", "silence",
]


class Tools:
    """The programs, temporary directories, and the end of everything that was started."""

    def __init__(self, shipped, built):
        self.shipped = shipped
        self.built = built
        # Short, because socket paths are.
        self.scratch = tempfile.mkdtemp(prefix="tocsin-bench.", dir="/var/tmp")
        self.processes = []

    @property
    def environment(self):
        """For programs that need nothing of the machine."""
        return {
            "PATH": os.environ["PATH"],
            # Binaries of a checkout would take the toolchain's runtime, not the one beside them.
            "LD_LIBRARY_PATH": self.shipped,
            "HOME": self.scratch,
            "LC_ALL": "C.UTF-8",
        }

    def binary(self, name):
        """One of Tocsin's programs."""
        return os.path.join(self.shipped, name)

    def program(self, name):
        """One of the small C programs."""
        return os.path.join(self.built, name)

    def directory(self, name):
        """A new directory of that name."""
        path = os.path.join(self.scratch, name)
        os.makedirs(path, exist_ok=True)
        return path

    def started(self, child):
        """Remembers a process to be ended."""
        self.processes.append(child)

    def close(self):
        """Ends what is left and removes everything."""
        for child in self.processes:
            if child.poll() is None:
                child.kill()
                child.wait()
        shutil.rmtree(self.scratch, ignore_errors=True)


class Run:
    """What the rows ask for."""

    def __init__(self, tools, arguments):
        self.tools = tools
        self.root = arguments.root
        self.quick = arguments.quick
        self.idle_seconds = 4 if arguments.quick else 60
        self.patience = 5 if arguments.quick else 30
        self.peers = peers.Peers(self, wanted=not arguments.no_peers)

    def calm(self):
        """Waits for the machine to be calm; the share of it that is still busy."""
        return machine.wait_for_calm(self.patience)


def parse():
    """The command line."""
    parser = argparse.ArgumentParser(prog="contrib/bench/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, and no million of alarms")
    parser.add_argument(
        "--write", action="store_true", help="put the table into docs/measurements.md"
    )
    parser.add_argument(
        "--no-peers", action="store_true", help="without other programs, and none is installed"
    )
    parser.add_argument("--json", metavar="FILE", help="where the JSON goes")
    parser.add_argument("rows", nargs="*", help=f"only these of {', '.join(ROWS)}")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    for hidden in ("--root", "--shipped", "--built"):
        parser.add_argument(hidden, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for name in arguments.rows:
        if name not in ROWS:
            parser.error(f"no such rows: {name}; there are {', '.join(ROWS)}")
    return arguments


def _told(versions):
    """A sentence for the document."""
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f" Peers: {told}." if told else ""


def _draw(run, data):
    """The plots beside the table, with the peers' Python, which has what draws."""
    try:
        subprocess.run(
            [programs.python(run), os.path.join(os.path.dirname(__file__), "plot.py"),
             os.path.join(run.root, "docs")],
            check=True, input=data, text=True,
        )
    except programs.Absent as error:
        print(f"nothing is drawn: {error}", file=sys.stderr)


def main():
    """Returns 1 if a result was wrong."""
    arguments = parse()
    if arguments.check:
        return 0
    tools = Tools(arguments.shipped, arguments.built)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    about = {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": machine.description(),
        "quick": arguments.quick,
        "load before": machine.load(),
    }
    run = Run(tools, arguments)
    seen, wrong, begun = [], [], time.monotonic()
    try:
        names = arguments.rows or ROWS
        for number, name in enumerate(names, 1):
            minutes = (time.monotonic() - begun) / 60
            print(f"--- {name}, {number} of {len(names)}, after {minutes:.1f} min", file=sys.stderr)
            try:
                for row in importlib.import_module(f"rows.{name}").rows(run):
                    seen.append(row)
                    print(" | ".join(filter(None, row.cells())), file=sys.stderr, flush=True)
            except (Failure, subprocess.SubprocessError, OSError) as error:
                wrong.append(f"{name}: {error}")
                print(f"WRONG: {wrong[-1]}", file=sys.stderr, flush=True)
        about["peers"] = run.peers.versions()
        about["peers left out"] = run.peers.left_out
    finally:
        tools.close()
    about["load after"] = machine.load()
    about["wrong"] = wrong
    text = table.markdown(
        seen,
        f"Seen on {about['date']}{' (--quick)' if arguments.quick else ''}: {about['machine']};"
        f" load {about['load before']} before, {about['load after']} after."
        " `machine busy` is the share of all cores that others used just before each."
        + _told(about["peers"]),
    )
    print(text)
    data = table.as_json(seen, about) + "\n"
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.write(data)
    if arguments.write:
        table.write(os.path.join(arguments.root, "docs", "measurements.md"), text)
        _draw(run, data)
    for message in wrong:
        print(f"wrong: {message}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
