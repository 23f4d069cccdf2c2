"""The lamp and the buzzer: their patterns, and that nothing stays on."""
import os
import signal
import time

import machine
from pins import Chip, Line
from report import check, expect, milliseconds, wait_for
from sections import BUTTONS, BUZZER, LED, LINES, SNOOZE, SNOOZE_BUTTON, bedside
from service import Daemon

RASPBERRY = "pinctrl-bcm2711"


def versions():
    """The versions of libgpiod that a sink was built with."""
    return list(machine.gpio_programs)


def header():
    """A chip like the one behind a Raspberry Pi's header, with its buttons."""
    return Chip(RASPBERRY, LINES, BUTTONS)


def started(version, *lines, **keys):
    """A chip, and a daemon with the sink on it."""
    chip = header()
    daemon = Daemon(bedside=bedside(version, *lines, **keys)).start()
    wait_for("the lines are requested", lambda: chip.is_used(LED))
    return chip, daemon


def expect_steps(changes, *lengths):
    """Expects that the times between changes are these, in seconds, over and over."""
    for index, (before, after) in enumerate(zip(changes, changes[1:])):
        wanted = lengths[index % len(lengths)]
        took = after[0] - before[0]
        seen = f"step {index} took {milliseconds(took)}, not {milliseconds(wanted)}"
        expect(abs(took - wanted) < 0.02, seen)


@check("the lamp blinks and the buzzer beeps in their patterns, and both are low after a stop", versions)
def patterns(version):
    chip, daemon = started(version)
    alarm = daemon.ring()
    daemon.presented(alarm, by="bedside")
    expect_steps(chip.changes(LED, 5), 0.5)
    beeps = chip.changes(BUZZER, 9)
    while not (beeps[0][1] and beeps[2][0] - beeps[0][0] < 0.3):
        beeps = beeps[1:]
        expect(len(beeps) > 4, f"no two beeps in a row: {beeps}")
    expect_steps(beeps, 0.1, 0.1, 0.1, 0.7)
    stamp = time.monotonic()
    daemon.ask("stop", alarm=alarm)
    chip.wait_level(BUZZER, False)
    chip.wait_level(LED, False)
    low = time.monotonic() - stamp
    chip.stays_low(BUZZER, 1.2)
    expect(not chip.level(LED), "the lamp is on")
    return f"low {milliseconds(low)} after the request"


@check("a countdown blinks as it is told to, and a pause is a steady light", versions)
def countdown(version):
    chip, daemon = started(version, "led.countdown = 100ms on, 200ms off")
    alarm = daemon.ring(after=300)
    changes = chip.changes(LED, 6)
    expect_steps(changes, *((0.1, 0.2) if changes[0][1] else (0.2, 0.1)))
    daemon.ask("pause", alarm=alarm)
    time.sleep(0.3)
    wait_for("the lamp is steady", lambda: chip.level(LED))
    for _ in range(50):
        expect(chip.level(LED), "the lamp of a pause is off")
        time.sleep(0.01)
    expect(not chip.level(BUZZER), "the buzzer sounds")
    daemon.ask("cancel", alarm=alarm)
    chip.wait_level(LED, False)


@check("a press is answered by the lamp, and by a chirp where one is wanted", versions)
def chirp(version):
    chip, daemon = started(
        version, SNOOZE_BUTTON, "buzzer.alert = off", "buzzer.chirp = 60ms", "led.alert = off",
        "led.blip = 80ms",
    )
    alarm = daemon.ring()
    daemon.presented(alarm, by="bedside")
    chip.press(SNOOZE)
    on = chip.wait_level(BUZZER, True)
    off = chip.changes(BUZZER, 1)[0][0]
    chip.release(SNOOZE)
    chip.stays_low(BUZZER, 0.3)
    return f"{milliseconds(on)} after the press, off at {off - int(off):.3f}"


def low_within(chip, seconds=2.0):
    """Waits until both are low and stay so; returns how long it took."""
    start = time.monotonic()
    chip.wait_level(BUZZER, False, seconds)
    chip.wait_level(LED, False, seconds)
    took = time.monotonic() - start
    chip.stays_low(BUZZER, 1.0)
    expect(not chip.level(LED), "the lamp is on")
    return took


def ringing_high(version):
    """A daemon whose buzzer and lamp are steadily on."""
    chip, daemon = started(version, "buzzer.alert = on", "led.alert = on")
    alarm = daemon.ring()
    chip.wait_level(BUZZER, True)
    chip.wait_level(LED, True)
    return chip, daemon, alarm


@check("both are low after the sink was ended in order", versions)
def terminated(version):
    chip, daemon, _ = ringing_high(version)
    daemon.terminate()
    return milliseconds(low_within(chip))


@check("both are low at once when the sink is killed, and on again when it is back", versions)
def sink_killed(version):
    chip, daemon, _ = ringing_high(version)
    pid = daemon.sink_pid("bedside")
    os.kill(pid, signal.SIGSTOP)
    os.kill(pid, signal.SIGKILL)
    off = chip.wait_level(BUZZER, False)
    chip.wait_level(BUZZER, True)
    chip.wait_level(LED, True)
    return f"low after {milliseconds(off)}"


@check("both are low after the daemon was killed", versions)
def daemon_killed(version):
    chip, daemon, _ = ringing_high(version)
    daemon.kill()
    return milliseconds(low_within(chip))


@check("a chip that goes away while ringing and comes back under another number lights up again", versions)
def replugged(version):
    chip, daemon, _ = ringing_high(version)
    before = chip.name
    chip.unplug()
    # Takes the number, so that the chip gets another.
    Chip("other", ["A"])
    chip.plug()
    chip.wait_level(BUZZER, True)
    chip.wait_level(LED, True)
    expect(chip.name != before, f"it is {before} again")
    alive = daemon.sinks()["bedside"]
    expect(alive["restarts"] == 0, f"the sink was restarted: {alive}")
    lines = daemon.said().count("\n")
    expect(lines < 12, f"{lines} lines in the log")
    return f"{before} came back as {chip.name}, {lines} lines logged"


@check("no chip when it starts: said once, and found when it comes", versions)
def late_chip(version):
    daemon = Daemon(bedside=bedside(version)).start()
    alarm = daemon.ring()
    wait_for("failed is told", lambda: [
        entry for entry in daemon.history(alarm=alarm) if entry["event"] == "failed"
    ])
    chip = header()
    chip.wait_level(LED, True)
    daemon.presented(alarm, by="bedside")


@check("a line that another program holds is said so, the others work, and it comes when it is free", versions)
def busy(version):
    chip = header()
    holder = machine.ends(Line(chip, BUZZER))
    daemon = Daemon(bedside=bedside(version, "led.alert = on", "buzzer.alert = on")).start()
    daemon.ring()
    chip.wait_level(LED, True)
    line = daemon.logs(BUZZER)
    holder.end()
    chip.wait_level(BUZZER, True, limit=70)
    return line[-90:]
