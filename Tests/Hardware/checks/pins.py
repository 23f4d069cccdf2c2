"""Chips of simulated pins: the kernel's gpio-sim, set up through configfs and moved through sysfs."""
import fcntl
import os
import struct
import time

import machine
from report import expect, wait_for

_CONFIG = "/sys/kernel/config/gpio-sim"


class Chip:
    """A chip with named lines, some of them with buttons to ground and pulled up."""

    def __init__(self, label, lines, buttons=()):
        self.label = label
        self.lines = lines
        self.buttons = buttons
        self.folder = os.path.join(_CONFIG, label)
        self.name = self.sysfs = None
        self.pulls = {}
        self.plug()
        machine.ends(self)

    def plug(self):
        """Makes it appear under the next free number."""
        bank = os.path.join(self.folder, "bank0")
        os.makedirs(bank)
        machine.write(f"{bank}/label", self.label)
        machine.write(f"{bank}/num_lines", str(len(self.lines)))
        for offset, line in enumerate(self.lines):
            os.mkdir(f"{bank}/line{offset}")
            machine.write(f"{bank}/line{offset}/name", line)
        machine.write(f"{self.folder}/live", "1")
        self.name = machine.read(f"{bank}/chip_name")
        device = machine.read(f"{self.folder}/dev_name")
        self.sysfs = f"/sys/devices/platform/{device}/{self.name}"
        for line in self.lines:
            self.pulls[line] = os.open(f"{self.sysfs}/sim_gpio{self.offset(line)}/pull", os.O_WRONLY)
        for line in self.buttons:
            self.release(line)

    def unplug(self):
        """Makes it disappear, whoever uses it."""
        for descriptor in self.pulls.values():
            os.close(descriptor)
        self.pulls = {}
        machine.write(f"{self.folder}/live", "0")
        bank = os.path.join(self.folder, "bank0")
        for offset in range(len(self.lines)):
            os.rmdir(f"{bank}/line{offset}")
        os.rmdir(bank)
        os.rmdir(self.folder)

    def end(self):
        """Unplugs it for good."""
        if os.path.isdir(self.folder):
            self.unplug()

    def offset(self, line):
        """A line's number on the chip."""
        return self.lines.index(line)

    def press(self, line):
        """Pulls a button's line down; the time just before, in nanoseconds of CLOCK_MONOTONIC."""
        stamp = time.monotonic_ns()
        os.pwrite(self.pulls[line], b"pull-down", 0)
        return stamp

    def release(self, line):
        """Lets a button's line go up; the time just before."""
        stamp = time.monotonic_ns()
        os.pwrite(self.pulls[line], b"pull-up", 0)
        return stamp

    def tap(self, line, length=0.12):
        """Presses a button as long as a finger does; the time of the press."""
        stamp = self.press(line)
        time.sleep(length)
        self.release(line)
        return stamp

    def level(self, line):
        """Whether a line is high."""
        return machine.read(f"{self.sysfs}/sim_gpio{self.offset(line)}/value") == "1"

    def is_used(self, line):
        """Whether a program holds a line."""
        # GPIO_GET_LINEINFO_IOCTL of linux/gpio.h, and struct gpioline_info.
        device = os.open(f"/dev/{self.name}", os.O_RDWR)
        try:
            answer = fcntl.ioctl(device, 0xC048B402, struct.pack("=II64s", self.offset(line), 0, b""))
        finally:
            os.close(device)
        return struct.unpack("=II64s", answer)[1] & 1 == 1

    def wait_level(self, line, high, limit=10):
        """Waits until a line is high, or low; returns how long that took."""
        start = time.monotonic()
        wait_for(f"{line} is {'high' if high else 'low'}", lambda: self.level(line) == high, limit, 0.001)
        return time.monotonic() - start

    def changes(self, line, count, limit=10):
        """Watches a line until it has changed so often: (time, high) of each change."""
        path = f"{self.sysfs}/sim_gpio{self.offset(line)}/value"
        descriptor = os.open(path, os.O_RDONLY)
        try:
            before, seen, end = None, [], time.monotonic() + limit
            while len(seen) < count:
                high = os.pread(descriptor, 1, 0) == b"1"
                if before is not None and high != before:
                    seen.append((time.monotonic(), high))
                before = high
                expect(time.monotonic() < end, f"{line} changed {len(seen)} times in {limit} s: {seen}")
                time.sleep(0.001)
            return seen
        finally:
            os.close(descriptor)

    def stays_low(self, line, seconds):
        """Expects that a line does not go high for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            expect(not self.level(line), f"{line} is high")
            time.sleep(0.005)


class Line:
    """A line that this program holds as an output, through the kernel's own interface."""

    # GPIO_GET_LINEHANDLE_IOCTL of linux/gpio.h, and struct gpiohandle_request.
    _request = 0xC16CB403
    _layout = "=256sI64s32sIi"
    _output = 2

    def __init__(self, chip, line):
        self.descriptor = None
        numbers = struct.pack("=64I", chip.offset(line), *[0] * 63)
        request = struct.pack(self._layout, numbers, self._output, b"", b"somebody else", 1, 0)
        device = os.open(f"/dev/{chip.name}", os.O_RDWR)
        try:
            answer = fcntl.ioctl(device, self._request, request)
        finally:
            os.close(device)
        self.descriptor = struct.unpack(self._layout, answer)[5]

    def end(self):
        """Gives it back."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
