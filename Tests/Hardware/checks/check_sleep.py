"""The machine asleep: what is due wakes it where the daemon may do that, and else rings when it wakes."""
import ctypes
import os
import time

import machine
from cards import Ear
from clocks import WallClock
from report import Failed, Skipped, check, expect, wait_for
from sections import speaker
from service import Daemon

_BATTERY_CLOCK = "/sys/class/rtc/rtc0/wakealarm"
_DROP_FROM_BOUNDING_SET, _WAKE_ALARM = 24, 35  # prctl(2), capabilities(7)


def boot_time():
    """The clock that goes on in sleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def prepare():
    """Loads what the machine sleeps with."""
    if not machine.real_clock:
        raise Skipped("a clock that counts instructions is none to sleep by: run with --real-clock")
    if os.uname().machine != "x86_64" or not os.path.exists(_BATTERY_CLOCK):
        raise Skipped("this machine has nothing that would wake it")
    machine.load("tocsin-awake")


def sleep(limit):
    """Suspends to idle; wakes by itself after the limit. Returns how long it slept, in seconds."""
    machine.write(_BATTERY_CLOCK, "0")
    machine.write(_BATTERY_CLOCK, f"+{limit}")
    before = boot_time()
    for _ in range(20):
        try:
            machine.write("/sys/power/state", "freeze")
            break
        except OSError:  # something else was about to wake it
            time.sleep(0.05)
    else:
        raise Failed("the kernel refuses to sleep")
    woke = boot_time()
    machine.write(_BATTERY_CLOCK, "0")
    return woke - before


def may_wake_nothing():
    """Gives up the capability that the machine's unit leaves the daemon; in a child, before it executes."""
    ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, _WAKE_ALARM, 0, 0, 0)


def started(may_wake=True, **keys):
    """A daemon with a loudspeaker, a subscriber, and the ear at it."""
    prepare()
    clock = WallClock()
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker(), **keys)
    if not may_wake:
        daemon.before = may_wake_nothing
    daemon.start()
    expect(daemon.ask("status")[-1]["status"].get("wakesFromSuspend") in (may_wake, None), "it says otherwise")
    return clock, ear, daemon, daemon.subscribe()


@check("asleep, a timer comes due: the daemon has it wake the machine, and it rings on time")
def wakes():
    _, ear, daemon, events = started()
    due = boot_time() + 6
    alarm = daemon.ring(after=6)
    slept = sleep(60)
    expect(slept > 2, f"it slept for {slept:.1f} s only")
    expect(boot_time() - due < 3, f"it woke {boot_time() - due:.1f} s late")
    alert = events.event("alert", alarm=alarm)
    ear.wait_loud(time.monotonic_ns())
    expect(alert.get("late", 0) < 2, f"{alert}")
    expect(len([e for e in daemon.history(alarm=alarm) if e["event"] == "fired"]) == 1, "not once")
    return f"slept {slept:.1f} s, rang {boot_time() - due:.1f} s after it was due"


@check("asleep where the daemon may not wake the machine: it rings late when it wakes, once")
def late():
    _, ear, daemon, events = started(may_wake=False)
    alarm, counting = daemon.ring(after=3), daemon.ring(after=60, title="Counting")
    due = boot_time() + 3
    slept = sleep(7)
    alert = events.event("alert", alarm=alarm)
    after = boot_time() - due
    ear.wait_loud(time.monotonic_ns())
    expect(slept > 4, f"it slept for {slept:.1f} s only")
    expect(alert["late"] > 1, f"it is not called late: {alert}")
    daemon.ask("stop", alarm=alarm)
    sleep(3)
    left = daemon.ask("show", alarm=counting)[0]["alarm"]["state"]
    expect(left == "countdown", f"the other timer is {left}")
    expect(len([e for e in daemon.history(alarm=alarm) if e["event"] == "fired"]) == 1, "not once")
    return f"slept {slept:.1f} s, rang {after - slept + 3:.1f} s after it woke"


@check("asleep beyond the grace: one notice that it was missed, and silence")
def missed():
    _, ear, daemon, events = started(may_wake=False, settings="late-grace = 1s")
    alarm = daemon.ring(after=2)
    sleep(7)
    events.event("missed", alarm=alarm, reason="late")
    heard = [window for window in ear.record(0.7) if window.level > ear.silence]
    expect(not heard, "it sounds")


@check("put to sleep while it rings: it goes on when the machine wakes, and a stop is silence")
def while_ringing():
    _, ear, daemon, events = started()
    alarm = daemon.ring()
    events.event("alert", alarm=alarm)
    ear.wait_loud(time.monotonic_ns())
    snoozed = daemon.ring(title="Snoozed")
    events.event("alert", alarm=snoozed)
    daemon.ask("snooze", alarm=snoozed, duration=4)
    due = boot_time() + 4
    sleep(20)
    woke = time.monotonic_ns()
    events.event("alert", alarm=snoozed)
    after = boot_time() - due
    ear.wait_loud(woke)
    wait_for("the loudspeaker confirms it", lambda: daemon.presented(snoozed, by="speaker"))
    stamp = time.monotonic_ns()
    daemon.ask("stop", target="all")
    quiet = (ear.wait_quiet(stamp) - stamp) / 1e9
    expect(quiet < 1, f"it sounded for {quiet:.3f} s more")
    expect(after < 3, f"the snooze ended {after:.1f} s late")
    return f"the snooze ended {after:.1f} s late"
