"""Other people's programs: finding, starting and ending them, and what they say."""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time

HOST = "127.0.0.1"
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts")


class Absent(Exception):
    """A peer that cannot be measured here, and why."""


def find(name):
    """The path of a program."""
    # Daemons are where a user's PATH may not lead.
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if not path:
        raise Absent(f"there is no {name}")
    return path


def environment(run, **more):
    """Nothing of the user's settings, and no runtime but the system's."""
    home = run.tools.directory("peers-home")
    return {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "HOME": home, "LC_ALL": "C.UTF-8",
            "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1", **more}


def python(run):
    """The interpreter that has the libraries."""
    path = os.path.join(run.root, ".build", "bench-peers", "bin", "python")
    if not os.path.exists(os.path.join(run.root, ".build", "bench-peers", "wanted")):
        raise Absent("its library is not installed")
    return path


def script(run, name, *words, timeout=60):
    """What one of the scripts beside this file found out."""
    return parsed(run, [python(run), os.path.join(SCRIPTS, name), *map(str, words)], timeout)


def parsed(run, command, timeout=60):
    """What a program prints as JSON."""
    return json.loads(output(run, command, timeout))


def output(run, command, timeout=60):
    """What a program prints; it ends with the run, and with the time it is given."""
    with started(run, command, stdout=subprocess.PIPE) as child:
        text, _ = child.communicate(timeout=timeout)
        if child.returncode:
            raise Absent(f"{os.path.basename(command[0])} ended with {child.returncode}: "
                         f"{said(run)}")
    return text.decode()


@contextlib.contextmanager
def started(run, command, stdout=None, stdin=subprocess.DEVNULL, gently=True, **more):
    """A program that is ended at the end; what it says goes to a file unless it is wanted."""
    with open(_log(run), "ab") as log:
        child = subprocess.Popen(
            command, stdin=stdin, stdout=stdout or log, stderr=log,
            env=environment(run, **more), cwd=run.tools.directory("peers-home"),
        )
    run.tools.started(child)
    try:
        yield child
    finally:
        _end(child, gently)


def _end(child, gently):
    """Asks it to end, and kills it if it does not."""
    if gently and child.poll() is None:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(3)
    if child.poll() is None:
        child.kill()
        child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()


def said(run, most=300):
    """The end of what they all said."""
    with open(_log(run), encoding="utf-8", errors="replace") as file:
        return " ".join(file.read()[-most:].split())


def _log(run):
    return os.path.join(run.tools.directory("peers-home"), "said")


def until(is_so, child=None, limit=15, pause=0.0005):
    """Seconds until something is so."""
    start = time.monotonic()
    while not is_so():
        if child and child.poll() is not None:
            raise Absent(f"{os.path.basename(child.args[0])} ended with {child.returncode}")
        if time.monotonic() - start > limit:
            raise Absent(f"nothing came of it in {limit} s")
        time.sleep(pause)
    return time.monotonic() - start


def survive(run, child, seconds=1):
    """Some programs tell nobody that they are ready, only that they cannot be."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
        raise Absent(f"it ended with {child.returncode}: {said(run)}")


def free_port():
    """A port of this host's own address that nobody listens on."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]
