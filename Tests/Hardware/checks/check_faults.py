"""Sound cards that are held by others, go away, come late, or were turned down."""
import os
import signal
import subprocess
import time

import machine
from cards import Absent, Ear, device
from report import check, expect, milliseconds, wait_for
from sections import TONE, speaker, tone
from service import Daemon


class Holder:
    """Another program that plays silence to a card and keeps it."""

    def __init__(self, card):
        self.child = subprocess.Popen(  # pylint: disable=consider-using-with
            ["aplay", "-q", "-D", device(card), "-f", "S16_LE", "-r", "48000", "-c", "2", "/dev/zero"],
            stdin=subprocess.DEVNULL,
        )
        machine.ends(self)
        status = f"/proc/asound/{card}/pcm0p/sub0/status"
        wait_for("the card is held", lambda: "RUNNING" in machine.read(status))

    def end(self):
        """Gives the card back."""
        self.child.kill()
        self.child.wait()


@check("a card that another program holds: the next one sounds")
def busy_next():
    Holder("Bedside")
    ear = Ear("Kitchen")
    daemon = Daemon(speaker=speaker("Bedside", "Kitchen")).start()
    since = time.monotonic_ns()
    alarm = daemon.ring()
    began = ear.wait_loud(since)
    daemon.presented(alarm, by="speaker")
    expect(began - since < 2.1e9, f"it took {milliseconds((began - since) / 1e9)}")
    return f"after {milliseconds((began - since) / 1e9)}, {ear.expect_tone(TONE, level=-6)}"


@check("the only card is held by another program: failed is told, and it sounds once it is free")
def busy_only():
    holder = Holder("Bedside")
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    alarm = daemon.ring()
    wait_for("failed is told", lambda: [
        entry for entry in daemon.history(alarm=alarm) if entry["event"] == "failed"
    ])
    stamp = time.monotonic_ns()
    holder.end()
    began = ear.wait_loud(stamp)
    daemon.presented(alarm, by="speaker")
    expect(began - stamp < 1e9, f"it took {milliseconds((began - stamp) / 1e9)}")
    return f"{milliseconds((began - stamp) / 1e9)} after it was free"


@check("a card that goes away while ringing: the next one sounds within 1 s, and it again when it is back")
def unplugged():
    bedside, kitchen = Ear("Bedside"), Ear("Kitchen")
    daemon = Daemon(speaker=speaker("Bedside", "Kitchen")).start()
    since = time.monotonic_ns()
    daemon.ring()
    bedside.wait_loud(since)
    gone = time.monotonic_ns()
    card = Absent("Bedside")
    began = kitchen.wait_loud(gone)
    expect(began - gone < 1e9, f"the other sounded after {milliseconds((began - gone) / 1e9)}")
    back = time.monotonic_ns()
    card.back()
    again = bedside.wait_loud(back)
    kitchen.wait_quiet(again)
    lines = daemon.said().count("\n")
    expect(lines < 15, f"{lines} lines in the log")
    return (f"{milliseconds((began - gone) / 1e9)} to the other, {milliseconds((again - back) / 1e9)} back, "
            f"{lines} lines logged")


@check("no card when it starts and when it rings: it sounds once one is there")
def late_card():
    card = Absent("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    alarm = daemon.ring()
    wait_for("failed is told", lambda: [
        entry for entry in daemon.history(alarm=alarm) if entry["event"] == "failed"
    ])
    card.back()
    stamp = time.monotonic_ns()
    ear = Ear("Bedside")
    began = ear.wait_loud(stamp)
    daemon.presented(alarm, by="speaker")
    return f"after {milliseconds((began - stamp) / 1e9)}"


@check("a sink that is killed while ringing sounds again")
def killed():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    since = time.monotonic_ns()
    daemon.ring()
    ear.wait_loud(since)
    os.kill(daemon.sink_pid("speaker"), signal.SIGKILL)
    stamp = time.monotonic_ns()
    silent = ear.wait_quiet(stamp, length=0.03)
    again = ear.wait_loud(silent + 30_000_000)
    return f"{milliseconds((again - silent) / 1e9)} of silence"


@check("a daemon that is killed while ringing: silence, and the same alarm sounds when it is back")
def daemon_killed():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    since = time.monotonic_ns()
    alarm = daemon.ring()
    daemon.presented(alarm, by="speaker")
    ear.wait_loud(since)
    killed_at = time.monotonic_ns()
    daemon.kill()
    silent = (ear.wait_quiet(killed_at) - killed_at) / 1e9
    stamp = time.monotonic_ns()
    daemon.start()
    again = ear.wait_loud(stamp) - stamp
    return f"silent after {milliseconds(silent)}, sounds {milliseconds(again / 1e9)} after the start"


def mixer_levels():
    """The two sides of the mixer's Master, as the card counts."""
    text = subprocess.run(
        ["amixer", "-c", "Mixer", "cget", "name=Master Volume"],
        capture_output=True, text=True, check=True,
    ).stdout
    return text.rsplit("values=", 1)[1].splitlines()[0]


def set_mixer(level):
    """Turns the mixer's Master."""
    subprocess.run(
        ["amixer", "-q", "-c", "Mixer", "cset", "name=Master Volume", "--", level], check=True
    )


FLOOR = {"device": "plughw:CARD=Mixer,DEV=0", "mixer_floor": "60%"}


@check("a card that is turned down is turned up while it rings, and down again")
def floor():
    set_mixer("-40")
    before = mixer_levels()
    daemon = Daemon(speaker=speaker(**FLOOR)).start()
    alarm = daemon.ring()
    daemon.presented(alarm, by="speaker")
    raised = wait_for("it is turned up", lambda: mixer_levels() != before and mixer_levels())
    daemon.ask("stop", alarm=alarm)
    wait_for("it is turned down again", lambda: mixer_levels() == before)
    return f"{before}, {raised} while ringing"


@check("a card that a person turns while it rings stays so")
def floor_by_hand():
    set_mixer("-40")
    before = mixer_levels()
    daemon = Daemon(speaker=speaker(**FLOOR)).start()
    alarm = daemon.ring()
    wait_for("it is turned up", lambda: mixer_levels() != before)
    daemon.presented(alarm, by="speaker")
    set_mixer("90")
    turned = mixer_levels()
    events = daemon.subscribe()
    daemon.ask("stop", alarm=alarm)
    events.event("cleared", alarm=alarm)
    wait_for("the card is closed",
             lambda: machine.read("/proc/asound/Mixer/pcm0p/sub0/status") == "closed", limit=15)
    daemon.terminate()
    expect(mixer_levels() == turned, f"{turned} became {mixer_levels()}")
    return f"{before}, {turned} by hand"


@check("a card that was turned up by a sink that was killed is turned down at the next start")
def floor_after_kill():
    set_mixer("-40")
    before = mixer_levels()
    daemon = Daemon(speaker=speaker(**FLOOR)).start()
    alarm = daemon.ring()
    daemon.presented(alarm, by="speaker")
    wait_for("it is turned up", lambda: mixer_levels() != before)
    daemon.kill()
    wait_for("the plugins end", lambda: not daemon.processes())
    daemon.start()
    daemon.presented(alarm, by="speaker")
    daemon.ask("stop", alarm=alarm)
    wait_for("it is turned down again", lambda: mixer_levels() == before)
    return before


@check("both cards sound where all are to, and one that is away does not keep the other")
def play_on_all():
    bedside, kitchen = Ear("Bedside"), Ear("Kitchen")
    daemon = Daemon(speaker=speaker("Bedside", "Kitchen", play_on="all", sound=tone(660))).start()
    since = time.monotonic_ns()
    daemon.ring()
    bedside.wait_loud(since)
    kitchen.wait_loud(since)
    Absent("Bedside")
    time.sleep(0.5)
    return kitchen.expect_tone(660, level=-6)
