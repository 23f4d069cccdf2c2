"""gpiozero's own pin factory and pigpiod: both need a Raspberry Pi's pins."""
import contextlib
import os
import subprocess

from . import programs


@contextlib.contextmanager
def gpiozero(run):
    """A process that waits for a button; its process, and None."""
    command = [programs.python(run), os.path.join(programs.SCRIPTS, "gpiozero_button.py")]
    with programs.started(run, command, stdout=subprocess.PIPE) as child:
        said = child.stdout.readline().decode().strip()
        if said != "ready":
            raise programs.Absent(said or programs.said(run))
        yield child, None


@contextlib.contextmanager
def pigpiod(run):
    """The daemon in the foreground; its process, and None."""
    command = [programs.find("pigpiod"), "-g", "-l", "-p", str(programs.free_port())]
    with programs.started(run, command) as child:
        programs.survive(run, child)
        yield child, None
