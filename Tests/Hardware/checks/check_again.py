"""Card and chip going away and coming back over and over in one ring: nothing is lost, nothing piles up."""
import os
import random
import time

from cards import Absent, Ear
from check_pins import header, versions
from process import memory
from report import check, expect, wait_for
from sections import BUZZER, LED, STOP, STOP_BUTTON, bedside, speaker
from service import Daemon

TIMES = 20
SEED = 20
# Linux 6.1 frees what is still used of a chip that goes, and falls over its own memory in the end.
CHIP_TURNS = (3, 13)


class Use:
    """What a process holds: descriptors, threads, and kilobytes of its own."""

    def __init__(self, pid):
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        self.threads = len(os.listdir(f"/proc/{pid}/task"))
        self.kilobytes = memory(pid)["Private_Dirty"]

    def __str__(self):
        return f"{self.descriptors} descriptors, {self.threads} threads, {self.kilobytes} kB"


@check("the card goes away and comes back twenty times while it rings, the chip twice: nothing piles up")
def over_and_over():
    chip, ear = header(), Ear("Bedside")
    daemon = Daemon(
        speaker=speaker(), bedside=bedside(versions()[-1], STOP_BUTTON, "buzzer.alert = on", "led.alert = on")
    ).start()
    wait_for("the button is requested", lambda: chip.is_used(STOP))
    events = daemon.subscribe()
    alarm = daemon.ring()
    events.event("alert", alarm=alarm)
    ear.wait_loud(time.monotonic_ns())
    processes = {name: sink["pid"] for name, sink in daemon.sinks().items()}
    processes["tocsind"] = daemon.child.pid
    order, before = random.Random(SEED), {}
    card = None
    for turn in range(TIMES):
        away = order.sample(["card", "chip"], 2) if turn in CHIP_TURNS else ["card"]
        for thing in away:
            if thing == "chip":
                chip.unplug()
            elif card is None:
                card = Absent("Bedside")
            else:
                card.away()
        stamp = time.monotonic_ns()
        for thing in order.sample(away, len(away)):
            if thing == "chip":
                chip.plug()
            else:
                card.back()
        ear.wait_loud(stamp)
        chip.wait_level(BUZZER, True)
        chip.wait_level(LED, True)
        wait_for("the button is requested again", lambda: chip.is_used(STOP))
        if turn == 4:  # what is kept once is kept by now
            before = {name: Use(pid) for name, pid in processes.items()}
    wait_for("it is heard", ear.is_loud)
    after = {name: Use(pid) for name, pid in processes.items()}
    for name, use in after.items():
        seen = f"{name} had {before[name]} and has {use}"
        expect(use.descriptors <= before[name].descriptors, seen)
        expect(use.threads <= before[name].threads, seen)
        expect(use.kilobytes <= before[name].kilobytes + 512, seen)
    restarts = {name: sink["restarts"] for name, sink in daemon.sinks().items()}
    expect(not any(restarts.values()), f"restarted: {restarts}")
    stamp = chip.press(STOP)
    events.event("cleared", alarm=alarm, reason="stopped")
    quiet = (ear.wait_quiet(stamp) - stamp) / 1e6
    chip.wait_level(BUZZER, False)
    fired = [entry for entry in daemon.history(alarm=alarm) if entry["event"] == "fired"]
    expect(len(fired) == 1, f"{fired}")
    return f"{after['tocsind']}, silent {quiet:.0f} ms after the press, {daemon.said().count(chr(10))} lines"
