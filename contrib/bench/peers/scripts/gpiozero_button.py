"""Waits for a button with gpiozero's own factory; says `ready`, or why it cannot."""
import signal

import gpiozero
from gpiozero.pins.native import NativeFactory


def main():
    """Until it is ended."""
    try:
        button = gpiozero.Button(17, pin_factory=NativeFactory())
        button.when_pressed = lambda: None
    except (OSError, gpiozero.GPIOZeroError) as error:
        print(f"{type(error).__name__}: {error}", flush=True)
        return
    print("ready", flush=True)
    signal.pause()


main()
