"""What the machine is made of: folders, programs, kernel modules, and what has to end with a check."""
import glob
import os
import shutil
import subprocess

# Set by __main__ from the command line.
programs = ""
tools = ""
gpio_programs = {}
real_clock = False  # whether the clock is that of the computer around the machine

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


def settle_in():
    """Takes all that the checks run and read into the machine's own memory.

    Nothing waits for the computer outside then, whose disk and load are none of the checks' business.
    """
    global programs, tools, gpio_programs  # pylint: disable=global-statement
    names = [name for name in os.listdir(programs) if name.startswith("tocsin") and "." not in name]
    programs = _take([os.path.join(programs, name) for name in names], "/run/scratch/programs")
    tools = _take([os.path.join(tools, name) for name in os.listdir(tools)], "/run/scratch/tools")
    gpio_programs = {
        version: os.path.join(_take([path], f"/run/scratch/gpio-{version}"), os.path.basename(path))
        for version, path in gpio_programs.items()
    }
    binaries = [f"{programs}/{name}" for name in names] + [f"{tools}/ear", *gpio_programs.values()]
    others = [shutil.which(name) for name in ("aplay", "amixer", "env")]
    paths = set(others)
    for binary in [*binaries, *others]:
        paths.update(_libraries(binary))
    for path in paths:
        os.utime(path)  # a change, so that the layer in memory gets a copy
    shutil.copytree("/usr/share/alsa", "/run/scratch/alsa", symlinks=True)
    subprocess.run(["mount", "--bind", "/run/scratch/alsa", "/usr/share/alsa"], check=True)
    # What this computer's packages add to ALSA, such as a look for PulseAudio, is left out.
    if os.path.isdir("/etc/alsa/conf.d"):
        subprocess.run(["mount", "-t", "tmpfs", "none", "/etc/alsa/conf.d"], check=True)


def _libraries(binary):
    """What the loader finds for a program."""
    loader = (glob.glob("/lib64/ld-linux-*") + glob.glob("/lib/ld-linux-*"))[0]
    found = subprocess.run([loader, "--list", binary], capture_output=True, text=True, check=True)
    return [word for word in found.stdout.split() if word.startswith("/")]


def _take(paths, folder):
    os.makedirs(folder)
    for path in paths:
        shutil.copy(path, folder)
    return folder
