"""The machine itself: before anything of Tocsin is judged by it, its own parts are."""
import os
import subprocess
import time

import machine
from cards import Ear, device, tone_file
from pins import Chip
from report import check, expect, milliseconds
from service import Daemon


@check("the kernel has pins that can be pressed and read")
def pins():
    chip = Chip("bench", ["BUTTON", "LED"], buttons=["BUTTON"])
    expect(os.path.exists(f"/dev/{chip.name}"), f"there is no /dev/{chip.name}")
    chip.press("BUTTON")
    expect(not chip.level("BUTTON"), "a pressed button is high")
    chip.release("BUTTON")
    expect(chip.level("BUTTON"), "a released button is low")
    return chip.name


@check("what is played to a loopback card is heard")
def loopback():
    ear = Ear("Bedside")
    path = tone_file("/run/scratch/bench.wav", pitch=880, seconds=1.0)
    start = time.monotonic_ns()
    player = subprocess.Popen(  # pylint: disable=consider-using-with
        ["aplay", "-q", "-D", device("Bedside"), path]
    )
    ear.wait_loud(since=start)
    text = ear.expect_tone(880, level=-6.0)
    expect(player.wait(20) == 0, "aplay failed")
    ear.wait_quiet(since=start)
    return text


@check("tocsind serves, rings on the console and stops")
def console():
    daemon = Daemon(console="run = tocsin-console\nstdout = yes\nformat = json").start()
    events = daemon.subscribe()
    alarm = daemon.ring(title="Tea")
    alert = events.event("alert", alarm=alarm)
    daemon.presented(alarm, by="console")
    daemon.ask("stop", alarm=alarm)
    cleared = events.event("cleared", alarm=alarm, reason="stopped")
    daemon.logs('"cleared"')
    daemon.terminate()
    expect(not daemon.processes(), "a plugin outlives the daemon")
    return milliseconds((cleared["arrived"] - alert["arrived"]) / 1e9)


@check("the clock does not run away from programs that wait")
def clock():
    late = []
    for _ in range(50):
        start = time.monotonic()
        time.sleep(0.01)
        late.append(time.monotonic() - start - 0.01)
    expect(sorted(late)[25] < 0.002, f"a sleep is {milliseconds(sorted(late)[25])} late")
    return f"median {milliseconds(sorted(late)[25])} late, kernel {os.uname().release}"


@check("a plugin that is not there is said so, and the daemon serves")
def missing():
    daemon = Daemon(lamp="run = tocsin-nothing").start(ready=False)
    daemon.logs("tocsin-nothing")
    expect("lamp" in daemon.sinks(), "the plugin is not listed")
    return machine.read("/proc/loadavg")
