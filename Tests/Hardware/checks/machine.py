"""What the machine is made of: folders, programs, kernel modules, and what has to end with a check."""
import os
import subprocess

# Set by __main__ from the command line.
programs = ""
tools = ""
gpio_programs = {}

# What the running check started: ended in the opposite order when it is over.
cleanups = []


def ends(thing):
    """Has `thing.end()` called when the check is over; returns it."""
    cleanups.append(thing)
    return thing


def program(name):
    """The path of one of Tocsin's programs."""
    return os.path.join(programs, name)


def tool(name):
    """The path of a program that belongs to the checks."""
    return os.path.join(tools, name)


def load(module, *options):
    """Loads a kernel module unless it is loaded."""
    subprocess.run(["modprobe", module, *options], check=True)


def write(path, text):
    """Writes to a file of the kernel's."""
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read(path):
    """Reads a file of the kernel's."""
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def prepare():
    """Loads the simulated hardware: two loopback cards, a card with a mixer, pins, input devices."""
    load("snd-aloop", "enable=1,1", "index=0,1", "id=Bedside,Kitchen", "pcm_substreams=1,1")
    load("snd-dummy", "index=2", "id=Mixer")
    load("gpio-sim")
    load("uinput")
    load("evdev")


def warm():
    """Reads the programs and their libraries once, so that no check waits for the host's disk."""
    names = [program(name) for name in os.listdir(programs) if name.startswith("tocsin")]
    names = [name for name in names + list(gpio_programs.values()) if os.path.isfile(name)]
    found = subprocess.run(["ldd", *names], capture_output=True, text=True, check=False).stdout
    libraries = {word for word in found.split() if word.startswith("/") and not word.endswith(":")}
    for path in [*names, *libraries]:
        with open(path, "rb") as file:
            while file.read(1 << 20):
                pass
