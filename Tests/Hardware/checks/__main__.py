"""Runs the checks inside the machine. See docs/hardware-tests.md."""
import argparse
import os
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position,unused-import
import machine  # noqa: E402
from report import expand, report  # noqa: E402


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="checks")
    parser.add_argument("--programs", help="where tocsind and the sinks are")
    parser.add_argument("--tools", help="where ear and stamp.so are")
    parser.add_argument("--gpio", action="append", default=[], metavar="VERSION=PROGRAM")
    parser.add_argument("--json", help="where to put the measurements")
    parser.add_argument("--host", help="the computer around the machine, for the measurements")
    parser.add_argument("--real-clock", action="store_true", help="the clock counts no instructions")
    parser.add_argument("--share", default="1/1", metavar="K/N", help="only each Nth check, from the Kth on")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*", help="only checks with one of these words in their names")
    return parser.parse_args()


def main():
    """Runs what was asked for; 1 if anything failed."""
    words = arguments()
    machine.programs, machine.tools = words.programs, words.tools
    machine.real_clock = words.real_clock
    machine.gpio_programs = dict(pair.split("=", 1) for pair in words.gpio) or {"each libgpiod": ""}
    for file in sorted(os.listdir(os.path.dirname(os.path.abspath(__file__)))):
        if file.startswith("check_"):
            __import__(file.removesuffix(".py"))
    wanted = [
        entry for entry in expand()
        if not words.names or any(name in entry[0] for name in words.names)
    ]
    if words.list:
        print("\n".join(name for name, _, _ in wanted))
        return 0
    if not wanted:
        print(f"no check has {' or '.join(words.names)} in its name")
        return 64
    machine.prepare()
    machine.settle_in()
    share, shares = (int(word) for word in words.share.split("/"))
    report.keep(words.json, words.host)
    for number, (name, function, extra) in enumerate(wanted, 1):
        if number % shares == share % shares and report.begin(number, name):
            report.run(number, name, function, extra, machine.cleanups)
    return 1 if report.failed else 0


sys.exit(main())
