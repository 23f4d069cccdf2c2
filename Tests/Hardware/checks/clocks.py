"""The machine's wall clock, zone and battery clock, changed for a check and put back after it."""
import ctypes
import os
import subprocess
import time

import machine

ONE_HOUR = 3600


def rfc3339(seconds):
    """A time as the protocol writes it."""
    whole = time.gmtime(int(seconds))
    return time.strftime("%Y-%m-%dT%H:%M:%S", whole) + f".{int(seconds % 1 * 1000):03d}Z"


class WallClock:
    """The clock that people read; right again when the check is over."""

    def __init__(self):
        self.origin = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
        machine.ends(self)

    def right(self):
        """What it would read if nobody had set it."""
        return self.origin + time.clock_gettime(time.CLOCK_BOOTTIME)

    @staticmethod
    def step(seconds):
        """Sets it forward or back."""
        time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)

    @staticmethod
    def set(seconds):
        """Sets it to a time."""
        time.clock_settime(time.CLOCK_REALTIME, seconds)

    def end(self):
        """Sets it right."""
        self.set(self.right())


class Synchronisation:
    """What the kernel says of its clock, as an NTP client would have it say; see adjtimex(2)."""

    _status, _maximum_error, _estimated_error = 0x10, 0x4, 0x8
    _unsynchronised, _phase_locked = 0x40, 0x1

    class _Timex(ctypes.Structure):
        _fields_ = [
            ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long),
            ("maxerror", ctypes.c_long), ("esterror", ctypes.c_long), ("status", ctypes.c_int),
            ("rest", ctypes.c_long * 32),
        ]

    def __init__(self):
        self._library = ctypes.CDLL(None, use_errno=True)
        machine.ends(self)

    def set(self, is_synchronised):
        """Has the kernel say that something keeps its clock right, or that nothing does."""
        words = self._Timex()
        words.modes = self._status | self._maximum_error | self._estimated_error
        words.maxerror = words.esterror = 0 if is_synchronised else 16_000_000
        words.status = self._phase_locked if is_synchronised else self._unsynchronised
        if self._library.adjtimex(ctypes.byref(words)) < 0:
            raise OSError(ctypes.get_errno(), "adjtimex")

    def end(self):
        """As the machine was when it started."""
        self.set(False)


class NoBatteryClock:
    """The machine as one without a battery clock looks: the folder where it would be is empty."""

    _folder = "/sys/class/rtc"

    def __init__(self):
        subprocess.run(["mount", "-t", "tmpfs", "none", self._folder], check=True)
        machine.ends(self)

    def end(self):
        """It is there again."""
        subprocess.run(["umount", self._folder], check=True)


class LocalTime:
    """The machine's zone, switched as timedatectl does it: another link takes the place of the old."""

    _path = "/etc/localtime"

    def __init__(self, zone):
        self.before = os.readlink(self._path) if os.path.islink(self._path) else None
        machine.ends(self)
        self.switch(zone)

    def switch(self, zone):
        """The machine is in another zone."""
        self._link(f"/usr/share/zoneinfo/{zone}")

    def _link(self, target):
        new = f"{self._path}.new"
        os.symlink(target, new)
        os.replace(new, self._path)

    def end(self):
        """It is where it was."""
        self._link(self.before or "/usr/share/zoneinfo/Etc/UTC")
