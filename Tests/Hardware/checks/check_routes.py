"""Who presents an alert when not everybody can."""
import time

from cards import Ear
from check_pins import header, versions
from report import check, expect, milliseconds
from sections import BUZZER, LED, TONE, bedside, speaker
from service import Daemon


def route(*lines):
    """A route for every alert."""
    return "\n".join(["", "[route wakeup]", "match = event:alert", *lines, ""])


@check("where the card does not exist the buzzer sounds, the lamp alone is lit before, and the record says why")
def fallback():
    chip = header()
    daemon = Daemon(
        speaker=speaker(device="plughw:CARD=Nowhere"),
        bedside=bedside(versions()[-1]),
        routes=route("to = speaker, bedside.led", "fallback = bedside.buzzer after 5s"),
    ).start()
    events = daemon.subscribe()
    alarm = daemon.ring()
    alert = events.event("alert", alarm=alarm)["arrived"]
    chip.wait_level(LED, True)
    chip.wait_level(BUZZER, True, limit=5)
    took = time.monotonic_ns() - alert
    record = daemon.history(alarm=alarm)
    why = [entry["detail"] for entry in record if entry["event"] == "fallback"]
    expect(len(why) == 1, f"the record says {record}")
    expect("bedside.buzzer" in why[0] and "Nowhere" in why[0], f"the record says {why[0]}")
    daemon.ask("stop", alarm=alarm)
    chip.wait_level(BUZZER, False)
    chip.wait_level(LED, False)
    return f"the buzzer sounds {milliseconds(took / 1e9)} after the alert"


@check("the buzzer joins when nobody answers, while sound and lamp go on")
def escalation():
    chip, ear = header(), Ear("Bedside")
    daemon = Daemon(
        speaker=speaker(),
        bedside=bedside(versions()[-1]),
        routes=route("to = speaker, bedside.led", "escalate = bedside.buzzer after 2s"),
    ).start()
    alarm = daemon.ring()
    daemon.presented(alarm, by="speaker")
    daemon.presented(alarm, by="bedside")
    ear.expect_tone(TONE, level=-6.0)
    expect(not chip.level(BUZZER), "the buzzer sounds before it is asked")
    chip.wait_level(BUZZER, True)
    chip.changes(LED, 2)
    ear.expect_tone(TONE, level=-6.0)
    expect("escalated" in [entry["event"] for entry in daemon.history(alarm=alarm)], "not recorded")
    daemon.ask("stop", alarm=alarm)
    chip.wait_level(BUZZER, False)
    daemon.terminate()
