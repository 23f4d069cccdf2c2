"""Simulated sound cards: what is played to a loopback card is heard at its other side."""
import os
import struct
import subprocess
import threading
import time
import wave
from math import pi, sin

import machine
from report import expect, wait_for

_DRIVER = "/sys/bus/platform/drivers/snd_aloop"
RATE = 48000
CARDS = {"Bedside": 0, "Kitchen": 1}


def device(card):
    """The ALSA name of a card's playing side."""
    return f"plughw:CARD={card},DEV=0"


def unbind(card):
    """Takes a card away, whoever plays to it."""
    machine.write(f"{_DRIVER}/unbind", f"snd_aloop.{CARDS[card]}")


def bind(card):
    """Brings a card back."""
    machine.write(f"{_DRIVER}/bind", f"snd_aloop.{CARDS[card]}")


class Absent:
    """A card that is away for a check; it is back afterwards."""

    def __init__(self, card):
        self.card = card
        machine.ends(self)
        unbind(card)

    def away(self):
        """Takes it away once more."""
        unbind(self.card)

    def back(self):
        """Brings it back."""
        bind(self.card)

    def end(self):
        """Brings it back unless it is."""
        if not os.path.exists(f"{_DRIVER}/snd_aloop.{CARDS[self.card]}"):
            bind(self.card)


class Window:
    """Five milliseconds of what was heard."""

    __slots__ = ("end", "level", "pitch")

    def __init__(self, end, level, pitch):
        self.end, self.level, self.pitch = end, level, pitch


class Ear:
    """Listens to a loopback card all the time."""

    # Quieter than this is silence, in decibels of full scale.
    silence = -70

    def __init__(self, card):
        self.card = card
        self.windows = []
        self.overruns = 0
        self.child = subprocess.Popen(  # pylint: disable=consider-using-with
            [machine.tool("ear"), f"hw:CARD={card},DEV=1"], stdout=subprocess.PIPE, text=True
        )
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()
        machine.ends(self)
        wait_for(f"{card} can be heard", lambda: self.windows)

    def _listen(self):
        for line in self.child.stdout:
            words = line.split()
            if len(words) == 3:
                end, level, pitch = map(int, words)
                self.windows.append(Window(end, level / 100, pitch / 100))
            elif words == ["overrun"]:
                self.overruns += 1

    def end(self):
        """Stops listening."""
        self.child.kill()
        self.child.wait()
        self.thread.join()
        self.child.stdout.close()

    def is_loud(self):
        """Whether sound was heard just now."""
        return any(window.level > self.silence for window in self.windows[-3:])

    def since(self, stamp):
        """What was heard from then on, in nanoseconds of CLOCK_MONOTONIC."""
        index = len(self.windows)
        while index > 0 and self.windows[index - 1].end > stamp:
            index -= 1
        return self.windows[index:]

    def wait_loud(self, since=None, limit=20):
        """Waits for sound; returns when it began, in nanoseconds."""
        stamp = time.monotonic_ns() if since is None else since

        def first():
            return next((w.end for w in self.since(stamp) if w.level > self.silence), None)
        return wait_for(f"sound from {self.card}", first, limit)

    def wait_quiet(self, since, limit=20, length=0.15):
        """Waits until nothing was heard for a while; returns the end of the sound, in nanoseconds."""
        # The first such while, whenever it is looked for: it may be over before the next look.
        def over():
            last = since
            for window in self.since(since):
                if window.level > self.silence:
                    last = window.end
                elif window.end - last >= length * 1e9:
                    return last
            return None
        return wait_for(f"{self.card} is silent", over, limit)

    def record(self, seconds, skip=0.0):
        """The windows of the next seconds."""
        start = time.monotonic_ns() + int(skip * 1e9)
        end = start + int(seconds * 1e9)
        wait_for("enough was heard", lambda: self.windows and self.windows[-1].end >= end,
                 limit=skip + seconds + 20)
        return [window for window in self.since(start) if window.end <= end]

    def expect_tone(self, pitch, level=None, seconds=0.5, tolerance=1.0):
        """Expects a pure, even tone of this pitch and level; returns a text with what was heard."""
        heard = self.record(seconds)
        pitches = sorted(window.pitch for window in heard)
        levels = sorted(window.level for window in heard)
        text = f"{pitches[len(pitches) // 2]:.1f} Hz, {levels[0]:.1f} to {levels[-1]:.1f} dB"
        expect(abs(pitches[len(pitches) // 2] - pitch) < pitch / 200, f"{text} instead of {pitch} Hz")
        expect(levels[-1] - levels[0] < 1.5, f"{text}: it is not even")
        if level is not None:
            expect(abs(levels[len(levels) // 2] - level) < tolerance, f"{text} instead of {level} dB")
        return text


def tone_file(path, pitch=880, seconds=1.0, amplitude=0.5, rate=RATE):
    """Writes a pure tone; with whole swings, so that it can be repeated without a step."""
    frames = round(round(pitch * seconds) * rate / pitch)
    peak = amplitude * 32767
    values = [round(peak * sin(2 * pi * pitch * index / rate)) for index in range(frames)]
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{frames}h", *values))
    return path


def state_of(card):
    """What the kernel says of the playing side of a card: closed, or more."""
    path = f"/proc/asound/card{CARDS[card]}/pcm0p/sub0/status"
    return machine.read(path).splitlines()[0]
