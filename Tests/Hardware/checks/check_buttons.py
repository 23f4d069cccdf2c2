"""Buttons on lines and keys of input devices: what a press does, and what is no press."""
import time

from cards import Ear
from check_pins import header, versions
from keys import Keyboard
from report import check, expect, milliseconds, wait_for
from sections import BUTTONS, HOLD_BUTTON, SNOOZE, SNOOZE_BUTTON, STOP, STOP_BUTTON, bedside, speaker
from service import Daemon

QUIET = 0.040


class Bedside:
    """A chip with two buttons, a loudspeaker, and a daemon with a sink for each."""

    def __init__(self, version, *lines, sound=True):
        self.chip = header()
        plugins = {"bedside": bedside(version, *lines)}
        if sound:
            self.ear = Ear("Bedside")
            plugins["speaker"] = speaker()
        self.daemon = Daemon(**plugins).start()
        used = [line for line in BUTTONS if any(line in text for text in lines)]
        wait_for("the buttons are requested", lambda: all(map(self.chip.is_used, used)))
        self.events = self.daemon.subscribe()

    def ring(self, **keys):
        """Rings until it is heard and seen."""
        alarm = self.daemon.ring(**keys)
        self.events.event("alert", alarm=alarm)
        self.daemon.presented(alarm, by="bedside")
        if hasattr(self, "ear"):
            self.daemon.presented(alarm, by="speaker")
            wait_for("it is heard", self.ear.is_loud)
        return alarm

    def answers(self, alarm):
        """What was done to an alarm, oldest first, by whom."""
        return [
            (entry["event"], entry.get("source"))
            for entry in reversed(self.daemon.history(alarm=alarm))
            if entry["event"] in ("snoozed", "stopped", "paused", "resumed", "extended")
        ]

    def expect_answers(self, alarm, *events):
        """Expects that these and no others were done, by the buttons."""
        seen = self.answers(alarm)
        expect([event for event, _ in seen] == list(events), f"{seen} instead of {events}")
        expect(all(source == "bedside" for _, source in seen), f"not by bedside: {seen}")

    def settled(self):
        """Waits until all edges have been read and all that they ask for has been done."""
        time.sleep(0.3)
        self.daemon.ask("status")


@check("a press stops: it is silent at once", versions)
def press_stops(version):
    place = Bedside(version, STOP_BUTTON, SNOOZE_BUTTON)
    alarm = place.ring()
    stamp = place.chip.press(STOP)
    place.events.event("cleared", alarm=alarm, reason="stopped")
    place.chip.release(STOP)
    quiet = (place.ear.wait_quiet(stamp) - stamp) / 1e9
    expect(quiet < QUIET, f"it sounded for {milliseconds(quiet)} more")
    place.expect_answers(alarm, "stopped")
    return milliseconds(quiet)


@check("a short press snoozes and a hold stops, before it is let go", versions)
def press_and_hold(version):
    place = Bedside(version, HOLD_BUTTON)
    alarm = place.ring()
    place.chip.tap(SNOOZE, 0.15)
    place.events.event("countdown", alarm=alarm)
    place.expect_answers(alarm, "snoozed")
    other = place.ring(title="Wake")
    start = time.monotonic()
    place.chip.press(SNOOZE)
    cleared = place.events.event("cleared", alarm=other, reason="stopped")["arrived"]
    held = time.monotonic() - start
    quiet = (place.ear.wait_quiet(cleared) - cleared) / 1e9
    place.chip.release(SNOOZE)
    expect(0.99 < held < 1.3, f"the hold of 1 s acted after {held:.3f} s")
    place.settled()
    place.expect_answers(other, "stopped")
    expect(quiet < QUIET, f"it sounded for {milliseconds(quiet)} more")
    return f"the hold acted after {held:.3f} s"


def edges(chip, line, *milliseconds_down):
    """Moves a line at these times after now: the first presses, the next lets go, and so on."""
    start = time.monotonic()
    for index, at in enumerate(milliseconds_down):
        while time.monotonic() - start < at / 1000:
            pass
        (chip.release if index % 2 else chip.press)(line)


@check("a press that bounces is one press", versions)
def bounces(version):
    place = Bedside(version, "debounce = 20ms", SNOOZE_BUTTON, sound=False)
    alarm = place.ring()
    edges(place.chip, SNOOZE, 0, 3, 7, 9, 12, 180, 183, 186, 189, 192)
    place.chip.release(SNOOZE)
    place.events.event("countdown", alarm=alarm)
    place.settled()
    place.expect_answers(alarm, "snoozed")


@check("a hold that bounces at its beginning, in its middle and at its end is one hold", versions)
def bouncing_hold(version):
    place = Bedside(version, HOLD_BUTTON, sound=False)
    alarm = place.ring()
    edges(place.chip, SNOOZE, 0, 3, 6, 300, 303, 306, 309, 1500, 1503, 1506, 1509, 1511)
    place.chip.release(SNOOZE)
    place.events.event("cleared", alarm=alarm, reason="stopped")
    place.settled()
    place.expect_answers(alarm, "stopped")


@check("presses in quick succession all count", versions)
def quick(version):
    place = Bedside(version, STOP_BUTTON, sound=False)
    first, second = place.ring(title="One"), None
    place.chip.tap(STOP, 0.03)
    place.events.event("cleared", alarm=first)
    for _ in range(3):
        second = place.ring(title="Next")
        place.chip.tap(STOP, 0.05)
        place.events.event("cleared", alarm=second, reason="stopped")
    place.expect_answers(second, "stopped")


@check("a storm of edges silences nothing, and the button works again after it", versions)
def storm(version):
    place = Bedside(version, STOP_BUTTON)
    # Begun while nothing rings, as noise on a long wire does.
    end = time.monotonic() + 1.0
    down = False
    alarm = place.daemon.ring(after=0.3)
    count = 0
    while time.monotonic() < end:
        (place.chip.release if down else place.chip.press)(STOP)
        down = not down
        count += 1
        time.sleep(0.001)
    place.chip.release(STOP)
    time.sleep(1.5)
    alive = place.daemon.sinks()["bedside"]
    expect(alive["restarts"] == 0, f"the sink was restarted: {alive}")
    expect(not place.answers(alarm), f"the noise did {place.answers(alarm)}")
    expect(place.ear.is_loud(), "it is silent")
    place.chip.press(STOP)
    place.events.event("cleared", alarm=alarm, reason="stopped")
    place.chip.release(STOP)
    lines = place.daemon.said().count("\n")
    expect(lines < 12, f"{lines} lines in the log")
    return f"{count} edges, {lines} lines logged"


@check("a button that is stuck since before the start stops nothing", versions)
def stuck(version):
    chip = header()
    chip.press(STOP)
    ear = Ear("Bedside")
    daemon = Daemon(bedside=bedside(version, STOP_BUTTON), speaker=speaker()).start()
    alarm = daemon.ring()
    daemon.presented(alarm, by="speaker")
    time.sleep(1)
    expect(ear.is_loud(), "it is silent")
    expect(daemon.ask("show", alarm=alarm)[0]["alarm"]["state"] == "alerting", "it does not ring")
    # Let go and pressed again it is a button.
    events = daemon.subscribe()
    chip.release(STOP)
    time.sleep(0.2)
    expect(ear.is_loud(), "letting it go stopped it")
    chip.press(STOP)
    events.event("cleared", alarm=alarm, reason="stopped")


@check("a press that began before it rang does not stop it", versions)
def early(version):
    place = Bedside(version, STOP_BUTTON, sound=False)
    place.chip.press(STOP)
    alarm = place.ring()
    time.sleep(0.5)
    place.chip.release(STOP)
    place.settled()
    expect(not place.answers(alarm), f"it did {place.answers(alarm)}")


@check("a button works after its chip went away and came back", versions)
def replugged(version):
    place = Bedside(version, STOP_BUTTON, sound=False)
    place.chip.unplug()
    place.chip.plug()
    wait_for("the button is requested again", lambda: place.chip.is_used(STOP))
    alarm = place.ring()
    place.chip.press(STOP)
    place.events.event("cleared", alarm=alarm, reason="stopped")


@check("a key of an input device does the same as a line", versions)
def key(version):
    keyboard = Keyboard("Bedside keys")
    daemon = Daemon(
        bedside=bedside(
            version, "button.stop = key:KEY_PLAYPAUSE", "button.stop.press = stop", lamp=False
        )
    ).start()
    wait_for("the keys are opened", keyboard.is_opened)
    events = daemon.subscribe()
    alarm = daemon.ring()
    daemon.presented(alarm)
    keyboard.press()
    events.event("cleared", alarm=alarm, reason="stopped")
    keyboard.release()


@check("an input device that is plugged in later is found", versions)
def late_key(version):
    daemon = Daemon(
        bedside=bedside(
            version, "button.stop = key:KEY_PLAYPAUSE", "button.stop.press = stop", lamp=False
        )
    ).start()
    keyboard = Keyboard("Bedside keys")
    wait_for("the keys are opened", keyboard.is_opened)
    events = daemon.subscribe()
    alarm = daemon.ring()
    daemon.presented(alarm)
    keyboard.press()
    events.event("cleared", alarm=alarm, reason="stopped")
