"""What is heard of an alarm: its pitch, its level, its beginning, its end."""
import json
import time

from cards import Ear, state_of, tone_file
from report import check, expect, milliseconds, wait_for
from sections import TONE, speaker, tone
from service import Daemon

# Two periods of the sink's 20 ms, as the promise of a stop allows.
QUIET = 0.040


def ringing(ear, daemon, **keys):
    """Rings and waits for the sound: the alarm, and when the sound began."""
    since = time.monotonic_ns()
    alarm = daemon.ring(**keys)
    return alarm, ear.wait_loud(since)


def quiet_after(ear, stamp):
    """How long after this time the sound went on, in seconds; within the promise."""
    seconds = (ear.wait_quiet(stamp) - stamp) / 1e9
    expect(seconds < QUIET, f"it sounded for {milliseconds(seconds)} more")
    return seconds


@check("an alarm sounds with its pitch and its level, without a gap, and stops at once")
def tone_and_stop():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    events = daemon.subscribe()
    alarm, _ = ringing(ear, daemon)
    daemon.presented(alarm, by="speaker")
    time.sleep(0.1)
    # Three rounds of the file, and what is between them.
    heard = ear.record(3.0)
    text = ear.expect_tone(TONE, level=-6.0)
    gaps = [w for w in heard if abs(w.level + 6.0) > 1 or abs(w.pitch - TONE) > 5]
    expect(not gaps, f"{len(gaps)} of {len(heard)} windows differ, the first has {gaps and gaps[0].level} dB")
    daemon.ask("stop", alarm=alarm)
    cleared = events.event("cleared", alarm=alarm)
    return f"{text}, {milliseconds(quiet_after(ear, cleared['arrived']))} after cleared"


@check("tocsin stop silences at once, and tocsin sinks tells of the sink")
def command():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    ringing(ear, daemon)
    shown = json.loads(daemon.command("sinks", "--json"))["sinks"]
    expect([(sink["sink"], sink["state"]) for sink in shown] == [("speaker", "ready")], shown)
    expect(shown[0]["ready"]["audible"], "it does not call itself audible")
    events = daemon.subscribe()
    daemon.command("stop")
    cleared = events.event("cleared", reason="stopped")
    return milliseconds(quiet_after(ear, cleared["arrived"]))


@check("half the volume is 10 dB less, an alarm's own volume goes before the settings'")
def volume():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker(volume="50%")).start()
    alarm, _ = ringing(ear, daemon)
    time.sleep(0.1)
    first = ear.expect_tone(TONE, level=-16.0)
    daemon.ask("stop", alarm=alarm)
    ear.wait_quiet(time.monotonic_ns())
    ringing(ear, daemon, volume=0.25)
    time.sleep(0.1)
    return f"{first}; {ear.expect_tone(TONE, level=-26.0)}"


@check("a sound shorter than a second begins anew each second")
def short():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker(sound=tone(seconds=0.2))).start()
    _, began = ringing(ear, daemon)
    heard = [(w.end - began) / 1e9 for w in ear.record(2.5) if w.level > ear.silence]
    starts = [after for before, after in zip(heard, heard[1:]) if after - before > 0.1]
    expect(len(starts) >= 2, f"it was heard at {starts} s")
    expect(all(abs(at - round(at)) < 0.02 for at in starts), f"it began at {starts} s")
    return ", ".join(f"{at:.3f} s" for at in starts)


@check("a fade begins 40 dB below, rises evenly in decibels, and is over in time")
def fade():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    _, began = ringing(ear, daemon, fade=4)
    heard = ear.record(4.5)

    def level(seconds):
        at = began + seconds * 1e9
        near = sorted(w.level for w in heard if abs(w.end - at) < 0.05e9)
        return near[len(near) // 2]
    seen = {seconds: level(seconds) for seconds in (0.1, 1, 2, 3, 4.3)}
    for seconds, value in seen.items():
        expected = -6 - 40 + 40 * min(seconds / 4, 1)
        expect(abs(value - expected) < 2, f"{value:.1f} dB at {seconds} s instead of {expected:.1f}")
    return ", ".join(f"{value:.1f} dB at {seconds} s" for seconds, value in seen.items())


@check("a stop in a fade ends it, and the next alarm begins as low as it should")
def stop_in_fade():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    alarm, _ = ringing(ear, daemon, fade=10)
    time.sleep(2)
    stamp = time.monotonic_ns()
    daemon.ask("stop", alarm=alarm)
    ear.wait_quiet(stamp)
    _, began = ringing(ear, daemon, title="Next", fade=10)
    first = ear.record(0.3)
    loudest = max(w.level for w in first)
    expect(loudest < -42, f"it begins at {loudest:.1f} dB")
    return f"begins at {loudest:.1f} dB"


@check("a sound that is missing is a tone and a line that names it")
def missing():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker(sound="/nowhere/missing.ogg")).start()
    since = time.monotonic_ns()
    alarm, began = ringing(ear, daemon)
    daemon.presented(alarm, by="speaker")
    line = daemon.logs("missing.ogg")
    expect(began - since < 2e9, f"the tone came after {milliseconds((began - since) / 1e9)}")
    return line[-100:]


@check("of two alarms the more important sounds, and then the other")
def hand_over():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    low, high = tone(440), tone(1320)
    tea, _ = ringing(ear, daemon, title="Tea", sound=low, priority=1)
    time.sleep(0.2)
    texts = [ear.expect_tone(440, level=-6)]
    wake = daemon.ring(title="Wake", sound=high, priority=5)
    daemon.presented(wake, by="speaker")
    time.sleep(0.3)
    texts.append(ear.expect_tone(1320, level=-6))
    daemon.ask("stop", alarm=wake)
    time.sleep(0.3)
    texts.append(ear.expect_tone(440, level=-6))
    stamp = time.monotonic_ns()
    daemon.ask("stop", alarm=tea)
    ear.wait_quiet(stamp)
    return "; ".join(texts)


@check("a snooze is silent, and rings again")
def snooze():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    events = daemon.subscribe()
    alarm, _ = ringing(ear, daemon)
    events.event("alert", alarm=alarm)
    daemon.ask("snooze", alarm=alarm, duration=1)
    counting = events.event("countdown", alarm=alarm)
    quiet = quiet_after(ear, counting["arrived"])
    ear.wait_loud()
    return milliseconds(quiet)


@check("a rate and channels that the card lacks are converted")
def conversion():
    ear = Ear("Bedside")
    path = tone_file("/run/scratch/slow.wav", pitch=630, seconds=1.0, rate=22050)
    daemon = Daemon(speaker=speaker(sound=path)).start()
    ringing(ear, daemon)
    time.sleep(0.2)
    return ear.expect_tone(630, level=-6.0, tolerance=1.5)


@check("nothing is open while nothing rings")
def closed():
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker()).start()
    expect(state_of("Bedside") == "closed", f"before: {state_of('Bedside')}")
    alarm, _ = ringing(ear, daemon)
    expect(state_of("Bedside") != "closed", "it rings with the card closed")
    daemon.ask("stop", alarm=alarm)
    wait_for("the card is closed", lambda: state_of("Bedside") == "closed", limit=15)
