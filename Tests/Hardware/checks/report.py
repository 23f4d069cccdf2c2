"""The list of checks, how they are run, and the lines they print."""
import json
import os
import time
import traceback

# How often the machine's kernel may fall over in one check until that is the check's fault.
MOST_FALLS = 3

_checks = []


class Failed(Exception):
    """What was seen instead of what should be."""


class Skipped(Exception):
    """What a check needs and the machine does not have."""


def check(title, variants=None):
    """Registers a function as a check. It returns a text with figures, or raises `Failed`.

    With `variants`, a function that returns values, it is run with each of them.
    """
    def register(function):
        subject = function.__module__.removeprefix("check_")
        _checks.append((subject, title, function, variants))
        return function
    return register


def expect(holds, seen):
    """Ends the check with what was seen, unless it holds."""
    if not holds:
        raise Failed(seen)


def wait_for(what, condition, limit=20.0, every=0.01):
    """Waits until the condition holds; returns what it returned. The limit only ends a lost wait."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"waited {limit:g} s in vain: {what}")
        time.sleep(every)


def expand():
    """Every check with its full name, in order."""
    for subject, title, function, variants in _checks:
        for variant in variants() if variants else [None]:
            suffix = f" [{variant}]" if variant is not None else ""
            arguments = () if variant is None else (variant,)
            yield f"{subject}: {title}{suffix}", function, arguments


def milliseconds(seconds):
    """A short text for a time."""
    return f"{seconds * 1000:.1f} ms"


def percentile(values, share):
    """The value that this share of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Report:
    """Runs checks and prints a line for each."""

    def __init__(self):
        self.passed = self.skipped = 0
        self.failed = []
        self.figures = {}
        # The number of the check that runs or ran last, and whether it runs.
        self.number = 0
        self.is_running = False
        # The checks in which the machine's kernel fell over.
        self.fell = []
        self._path = self._host = None

    def keep(self, path, host):
        """Keeps all of this in a file from now on, and goes on where an earlier machine ended."""
        self._path, self._host = path, host
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for name, value in json.load(file).items():
                    setattr(self, name, value)

    def begin(self, number, name):
        """Whether the check is still to be run; again if the kernel fell over in it, but not for ever."""
        if number < self.number or number == self.number and not self.is_running:
            return False
        if number == self.number:
            self.fell.append(name)
            print(f"# the machine's kernel fell over in {number} {name}", flush=True)
            if self.fell.count(name) == MOST_FALLS:
                self.failed.append(name)
                print(f"not ok {number} {name} (the machine's kernel fell over {MOST_FALLS} times)", flush=True)
                self._note(number, False)
                return False
        self._note(number, True)
        return True

    def _note(self, number, is_running):
        self.number, self.is_running = number, is_running
        if not self._path:
            return
        state = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        with open(self._path + ".new", "w", encoding="utf-8") as file:
            json.dump({"host": self._host, **state}, file, indent=2)
            file.write("\n")
        os.rename(self._path + ".new", self._path)

    def run(self, number, name, function, arguments, cleanups):
        """Runs one check; what it started ends with it."""
        start = time.monotonic()
        try:
            note = function(*arguments)
            self.passed += 1
            line = f"ok {number} {name}"
        except Skipped as reason:
            self.skipped += 1
            note, line = reason, f"ok {number} {name} # skipped"
        except Failed as seen:
            self.failed.append(name)
            note, line = seen, f"not ok {number} {name}"
        except Exception:  # pylint: disable=broad-except
            self.failed.append(name)
            note, line = "\n" + traceback.format_exc(limit=-3), f"not ok {number} {name}"
        if name in self.failed:
            note = f"{note}{self._context(cleanups)}"
        for clean in reversed(cleanups):
            clean.end()
        cleanups.clear()
        took = time.monotonic() - start
        print(line + (f" ({note})" if note else "") + f" {took:.1f} s", flush=True)
        self._note(number, False)

    @staticmethod
    def _context(cleanups):
        """What the programs printed, for a check that failed."""
        said = [clean.said() for clean in cleanups if hasattr(clean, "said")]
        return "".join("\n" + "\n".join(f"    {line}" for line in text.splitlines()[-25:]) for text in said)

    def figure(self, name, value, limit=None, unit="ms", context="", slack=1):
        """Prints and keeps a measurement; raises if it is beyond its limit times the slack."""
        self.figures[name] = {"value": round(value, 4), "unit": unit, "limit": limit, "note": context}
        bound = f", limit {limit:g} {unit}" if limit is not None else ""
        if limit is not None and value > limit:
            bound += ", OVER IT"
        print(f"# {name}: {value:.3f} {unit}{bound}{', ' + context if context else ''}", flush=True)
        if limit is not None:
            expect(value <= limit * slack, f"{name} is {value:.3f} {unit}, over {limit:g} {unit}")


report = Report()
