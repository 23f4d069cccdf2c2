"""Sections of plugins.conf for the simulated hardware."""
import machine
from cards import device, tone_file

CONSOLE = "run = tocsin-console\nstdout = yes\nformat = json"
POPUP = "run = tocsin-desktop"

# Half of full scale at most, so that levels can rise and fall.
TONE = 880
_tones = {}


def tone(pitch=TONE, seconds=1.0):
    """A file with a pure tone of -6 dB."""
    if (pitch, seconds) not in _tones:
        _tones[pitch, seconds] = tone_file(f"/run/scratch/tone-{pitch}-{seconds}.wav", pitch, seconds)
    return _tones[pitch, seconds]


def speaker(*cards, **keys):
    """Sound on these cards, the first that works; underscores in keys stand for hyphens."""
    devices = ", ".join(device(card) for card in cards or ("Bedside",))
    lines = {"run": "tocsin-alsa", "device": devices, "sound": tone(), "volume": "100%"}
    lines.update({key.replace("_", "-"): value for key, value in keys.items()})
    return "\n".join(f"{key} = {value}" for key, value in lines.items())


# The lines of a chip, in order, as a Raspberry Pi's kernel names them.
SNOOZE, STOP, LED, BUZZER = "GPIO17", "GPIO27", "GPIO22", "GPIO23"
LINES = (SNOOZE, STOP, LED, BUZZER)
BUTTONS = (SNOOZE, STOP)


def bedside(version, *lines, lamp=True):
    """A lamp, a buzzer and what else is given, with the sink built for that libgpiod."""
    outputs = [f"led = {LED}", f"buzzer = {BUZZER}"] if lamp else []
    return "\n".join([f"run = {machine.gpio_programs[version]}", *outputs, *lines])


SNOOZE_BUTTON = f"button.snooze = {SNOOZE}\nbutton.snooze.press = snooze"
STOP_BUTTON = f"button.stop = {STOP}\nbutton.stop.press = stop"
HOLD_BUTTON = f"{SNOOZE_BUTTON}\nbutton.snooze.hold-1s = stop"
