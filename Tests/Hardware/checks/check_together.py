"""All sinks at once, and the figures that were promised."""
import os
import time

import machine
from cards import Ear
from check_pins import header, versions
from process import memory, voluntary_switches
from report import check, expect, milliseconds, percentile, report, wait_for
from sections import (BUZZER, CONSOLE, LED, POPUP, SNOOZE, SNOOZE_BUTTON, STOP, STOP_BUTTON, TONE,
                      bedside, speaker)
from service import Daemon

PRESSES = 120


def everything(**more):
    """All four sinks, with the newest libgpiod."""
    return Daemon(console=CONSOLE, speaker=speaker(), popup=POPUP,
                  bedside=bedside(versions()[-1], SNOOZE_BUTTON, STOP_BUTTON), **more)


@check("a timer is heard, seen on the console and blinks; without a notification server that is said")
def all_at_once():
    chip, ear = header(), Ear("Bedside")
    daemon = everything().start()
    events = daemon.subscribe()
    alarm = daemon.ring(title="Tea")
    for sink in ("console", "speaker", "bedside"):
        daemon.presented(alarm, by=sink)
    text = ear.expect_tone(TONE, level=-6.0)
    chip.changes(LED, 3)
    chip.changes(BUZZER, 2)
    daemon.logs('"alert"', "Tea")
    wait_for("the pop-up fails", lambda: [
        entry for entry in daemon.history(alarm=alarm)
        if entry["event"] == "failed" and entry.get("source") == "popup"
    ])
    stamp = chip.press(STOP)
    events.event("cleared", alarm=alarm, reason="stopped")
    quiet = ear.wait_quiet(stamp) - stamp
    chip.wait_level(BUZZER, False)
    chip.wait_level(LED, False)
    daemon.terminate()
    expect(not daemon.processes(), "a sink outlives the daemon")
    return f"{text}, silent {milliseconds(quiet / 1e9)} after the press"


@check("idle, nothing wakes the daemon and its sinks, and they are small")
def idle():
    header()
    daemon = everything().start()
    processes = {name: sink["pid"] for name, sink in daemon.sinks().items()}
    processes["tocsind"] = daemon.child.pid
    time.sleep(3)  # what starting needed is over
    before = {name: voluntary_switches(pid) for name, pid in processes.items()}
    time.sleep(10)
    woken = {name: voluntary_switches(pid) - before[name] for name, pid in processes.items()}
    for name, count in woken.items():
        report.figure(f"wake-ups of {name} in 10 s, idle", count, limit=0, unit="times")
    measure_memory("idle", processes, limit=28)
    alarm = daemon.ring()
    for sink in ("console", "speaker", "bedside"):
        daemon.presented(alarm, by=sink)
    measure_memory("ringing", processes)


def measure_memory(state, processes, limit=None):
    """The memory of all, each page shared among those that map it."""
    shares = {name: memory(pid)["Pss"] / 1024 for name, pid in processes.items()}
    each = ", ".join(f"{name} {size:.1f}" for name, size in shares.items())
    # How much of the programs' files the kernel keeps at hand is its own choice: some is no failure.
    name = f"PSS of daemon and four sinks, {state}"
    report.figure(name, sum(shares.values()), limit, "MB", each, slack=1.25)


class Stamps:
    """What stamp.so noted inside the sink: when it wrote its first frames and when it dropped them."""

    def __init__(self):
        self.path = "/run/scratch/stamps"
        with open(self.path, "w", encoding="ascii"):
            pass

    def speaker(self):
        """The section of a sink that is watched."""
        run = f"/usr/bin/env LD_PRELOAD={machine.tool('stamp.so')} TOCSIN_STAMPS={self.path}"
        return speaker(run=f"{run} {machine.program('tocsin-alsa')}")

    def after(self, what, stamp):
        """When that happened first after a time."""
        def noted():
            with open(self.path, encoding="ascii") as file:
                times = [int(line.split()[1]) for line in file if line.startswith(what + " ")]
            return next((time_ for time_ in times if time_ >= stamp), None)
        return wait_for(f"{what} was called", noted, every=0.002)


@check("from a press to silence, and from an alert to sound")
def latencies():
    chip, ear, stamps = header(), Ear("Bedside"), Stamps()
    daemon = Daemon(speaker=stamps.speaker(), bedside=bedside(versions()[-1], STOP_BUTTON)).start()
    wait_for("the button is requested", lambda: chip.is_used(STOP))
    events = daemon.subscribe()
    sound, drop, silence = [], [], []
    for _ in range(PRESSES):
        alarm = daemon.ring(after=0.01)
        alert = events.event("alert", alarm=alarm)["arrived"]
        first = stamps.after("writei", alert - 20_000_000)
        sound.append((first - alert) / 1e6)
        wait_for("it is heard", ear.is_loud)
        pressed = chip.press(STOP)
        dropped = stamps.after("drop", pressed)
        events.event("cleared", alarm=alarm, reason="stopped")
        chip.release(STOP)
        drop.append((dropped - pressed) / 1e6)
        silence.append((ear.wait_quiet(pressed, length=0.06) - pressed) / 1e6)
    load = f"{PRESSES} presses, one nanosecond an instruction"
    report.figure("press to snd_pcm_drop, median", percentile(drop, 0.5), context=load)
    report.figure("press to snd_pcm_drop, 99 %", percentile(drop, 0.99), 2)
    report.figure("press to silence at the card, median", percentile(silence, 0.5))
    report.figure("press to silence at the card, 99 %", percentile(silence, 0.99), 40)
    report.figure("alert read by a client to first frame accepted, median", percentile(sound, 0.5))
    report.figure("alert read by a client to first frame accepted, 99 %", percentile(sound, 0.99), 50)
