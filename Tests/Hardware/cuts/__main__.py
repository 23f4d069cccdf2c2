"""Cuts the machine's power, again and again, while alarms are set and answered. See docs/hardware-tests.md."""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from disk import Disk  # noqa: E402
from outside import Lost, Machine  # noqa: E402
from traffic import Traffic, Wrong  # noqa: E402

MEGABYTES = 24


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="cuts")
    for name in ("--bed", "--checkout", "--programs", "--tools"):
        parser.add_argument(name, required=True)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--lying-disk", action="store_true", help="flushes nothing: this must be found out")
    return parser.parse_args()


def new_disk(folder, lies):
    """A disk with an empty file system."""
    path = f"{folder}/image"
    with open(path, "wb") as file:
        file.truncate(MEGABYTES << 20)
    subprocess.run(["mkfs.ext4", "-q", "-J", "size=4", path], check=True)
    with open(path, "rb") as file:
        return Disk(f"{folder}/disk", file.read(), lies)


class Cuts:
    """All rounds: what they have in common."""

    def __init__(self, words, folder):
        self.words = words
        self.seed = words.seed if words.seed is not None else random.SystemRandom().randrange(1 << 32)
        self.random = random.Random(self.seed)
        self.disk = new_disk(folder, words.lying_disk)
        self.traffic = Traffic(self.random)
        self.backups = self.lost = self.unflushed = self.early = 0

    def round(self):
        """Switches on, checks what is there, asks for changes, and cuts."""
        # At any write or flush, also while the file system or the store is opened, or after an answer.
        by_disk = self.random.random() < 0.5
        self.disk.power_on(self.random.randrange(1, 160) if by_disk else None)
        wanted = None if by_disk else self.random.randrange(0, 60)
        machine = Machine(self.words, self.disk)
        try:
            self._live(machine, wanted)
        except (Wrong, Lost, AssertionError):
            print(machine.said(), flush=True)
            raise
        finally:
            machine.switch_off()
        for line in machine.requests.leftover():
            self.traffic.answered(line)
        for line in machine.events.leftover():
            self.traffic.told(line)
        self.traffic.cut()
        lost, unflushed = self.disk.power_off(self.random)
        self.lost += lost
        self.unflushed += unflushed
        machine.forget()

    def _live(self, machine, wanted):
        self._check(machine)
        goal = None if wanted is None else self.traffic.acknowledged + wanted
        moment = self.random.uniform(0, 0.03)
        end = time.monotonic() + 60
        while not self.disk.is_cut.is_set():
            if goal is not None and self.traffic.acknowledged >= goal:
                time.sleep(moment)
                return
            if time.monotonic() > end:
                return
            while (request := self.traffic.asks()) is not None:
                machine.requests.send(request)
            for line in machine.events.receive(0):
                self.traffic.told(line)
            for line in machine.requests.receive(0.02):
                self.traffic.answered(line)

    def _ask(self, machine, kind, **keys):
        """One request, and the lines of its answer; None if the power goes first."""
        machine.requests.send({"type": kind, "id": kind, **keys})
        lines, end = [], time.monotonic() + 60
        while not self.disk.is_cut.is_set():
            lines += [line for line in machine.requests.receive(0.05) if line.get("id") == kind]
            if lines and lines[-1]["type"] in ("ok", "error"):
                return lines
            if time.monotonic() > end:
                raise Lost(f"no answer to {kind} for a minute")
        return None

    def _check(self, machine):
        machine.events.send({"type": "subscribe", "id": "subscribe"})
        listed = self._ask(machine, "list")
        history = listed and self._ask(machine, "history", limit=100000)
        status = history and self._ask(machine, "status")
        if status is None:
            self.early += 1  # the disk went off before it was up
            return
        if "backup" in str(status[-1]["status"].get("warnings")):
            self.backups += 1
        self.traffic.check([line["alarm"] for line in listed[:-1]],
                           [line["entry"] for line in history[:-1]], time.time())

    def run(self):
        """As many rounds as were asked for, and one that only checks; 0 if all held."""
        start, done = time.monotonic(), 0
        print(f"power cuts, seed {self.seed}", flush=True)
        while (self.words.rounds is None or done < self.words.rounds) and (
                self.words.seconds is None or time.monotonic() - start < self.words.seconds):
            try:
                self.round()
            except (Wrong, Lost) as error:
                print(f"not ok: after {done} cuts, seed {self.seed}: {error}", flush=True)
                return 1
            done += 1
            if done % 10 == 0:
                print(f"# {done} cuts, {self.traffic.acknowledged} changes acknowledged", flush=True)
        took = time.monotonic() - start
        print(f"ok: {done} power cuts ({self.early} before the daemon was up), {self.traffic.acknowledged} "
              f"changes acknowledged, {self.traffic.refused} refused, {self.traffic.rang} rings, {self.lost} of "
              f"{self.unflushed} unflushed sectors lost, {self.backups} times from the backup, {took:.0f} s",
              flush=True)
        return 0


def main():
    """Runs all rounds on one disk."""
    words = arguments()
    if words.rounds is None and words.seconds is None:
        words.rounds = 10
    with tempfile.TemporaryDirectory(prefix="tocsin-cuts.", dir="/var/tmp") as folder:
        return Cuts(words, folder).run()


if __name__ == "__main__":
    sys.exit(main())
