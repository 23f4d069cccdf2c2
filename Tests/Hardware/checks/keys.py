"""Input devices that this program makes, through the kernel's uinput."""
import fcntl
import glob
import os
import struct
import time

import machine
from report import wait_for

# linux/uinput.h and linux/input-event-codes.h.
_SET_EVENT, _SET_KEY, _SETUP, _CREATE, _DESTROY = 0x40045564, 0x40045565, 0x405C5503, 0x5501, 0x5502
_SYN, _KEY, KEY_PLAYPAUSE = 0, 1, 164


class Keyboard:
    """A device with one key."""

    def __init__(self, name, code=KEY_PLAYPAUSE):
        self.code = code
        self.device = os.open("/dev/uinput", os.O_WRONLY)
        fcntl.ioctl(self.device, _SET_EVENT, _KEY)
        fcntl.ioctl(self.device, _SET_KEY, code)
        fcntl.ioctl(self.device, _SETUP, struct.pack("HHHH80sI", 3, 1, 1, 1, name.encode(), 0))
        fcntl.ioctl(self.device, _CREATE)
        machine.ends(self)
        self.path = wait_for("the device is there", lambda: self._find(name))

    @staticmethod
    def _find(name):
        for path in glob.glob("/sys/class/input/event*/device/name"):
            if machine.read(path) == name:
                return "/dev/input/" + path.split("/")[4]
        return None

    def is_opened(self):
        """Whether a program has the device open."""
        for link in glob.glob("/proc/[0-9]*/fd/*"):
            try:
                if os.readlink(link) == self.path:
                    return True
            except OSError:
                pass
        return False

    def _send(self, kind, code, value):
        os.write(self.device, struct.pack("llHHi", 0, 0, kind, code, value))

    def press(self):
        """Presses the key; the time just before, in nanoseconds of CLOCK_MONOTONIC."""
        stamp = time.monotonic_ns()
        self._send(_KEY, self.code, 1)
        self._send(_SYN, 0, 0)
        return stamp

    def release(self):
        """Lets the key go."""
        self._send(_KEY, self.code, 0)
        self._send(_SYN, 0, 0)

    def end(self):
        """Unplugs it."""
        fcntl.ioctl(self.device, _DESTROY)
        os.close(self.device)
