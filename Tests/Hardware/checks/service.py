"""The real daemon with real plugins, in a directory of its own, and its socket."""
import glob
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import machine
from report import Failed, wait_for


class Connection:
    """A connection to the control socket. Answers and events are kept in the order they came."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.rest = b""
        self.lines = []

    def receive(self, timeout):
        """Takes in what arrives within a time."""
        if not select.select([self.socket], [], [], timeout)[0]:
            return False
        data = self.socket.recv(1 << 16)
        if not data:
            raise Failed("the daemon closed the connection")
        *whole, self.rest = (self.rest + data).split(b"\n")
        arrived = time.monotonic_ns()
        self.lines += [{**json.loads(line), "arrived": arrived} for line in whole]
        return True

    def send(self, message):
        """Sends one line."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def wait(self, what, matches, limit=20):
        """The first line that matches, with those before it dropped."""
        end = time.monotonic() + limit
        while True:
            for index, line in enumerate(self.lines):
                if matches(line):
                    del self.lines[:index + 1]
                    return line
            left = end - time.monotonic()
            if left <= 0:
                kinds = [line.get("type") for line in self.lines]
                raise Failed(f"waited {limit} s for {what}, there came {kinds}")
            self.receive(left)

    def event(self, kind, limit=20, **keys):
        """The next event of a type, with these values."""
        return self.wait(
            f"{kind} {keys or ''}",
            lambda line: line.get("type") == kind and all(line.get(k) == v for k, v in keys.items()),
            limit,
        )

    def ask(self, kind, **keys):
        """One request; the lines of its answer, the last is `ok`."""
        answer = self.try_to_ask(kind, **keys)
        if answer[-1]["type"] != "ok":
            raise Failed(f"{kind} was answered {answer[-1]}")
        return answer

    def try_to_ask(self, kind, **keys):
        """One request; the lines of its answer, whatever it is."""
        self.send({"type": kind, "id": "ask", **keys})
        answer = []
        while not answer or answer[-1]["type"] not in ("ok", "error"):
            answer.append(self.wait(f"the answer to {kind}", lambda line: line.get("id") == "ask"))
        return answer

    def close(self):
        """Hangs up."""
        self.socket.close()


class Daemon:
    """`tocsind` with the plugins of a configuration."""

    def __init__(self, routes="", settings="", folder=None, **plugins):
        """`plugins`: by name, the text of their sections; `routes`: sections as they are.

        `settings` are more lines of the daemon's section, `folder` is where the store is.
        """
        self.directory = tempfile.mkdtemp(prefix="tocsin-")
        self.folder = folder or self.directory
        self.before = None
        self.config = os.path.join(self.directory, "plugins.conf")
        self.socket = os.path.join(self.directory, "socket")
        self.log = os.path.join(self.directory, "log")
        self.environment = {}  # what is None is left out
        self.child = None
        self.plugins = list(plugins)
        sections = [f"[plugin {name}]\n{text}\n" for name, text in plugins.items()]
        with open(self.config, "w", encoding="utf-8") as file:
            waiting = "" if "clock-wait" in settings else "clock-wait = 0\n"
            file.write(f"[daemon]\nsnooze = 9min\n{waiting}{settings}\n" + "\n".join(sections) + routes)
        machine.ends(self)

    def start(self, ready=True):
        """Starts it and waits until it answers, and until its plugins do."""
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(  # pylint: disable=consider-using-with
                [machine.program("tocsind"), f"--config={self.config}", f"--socket={self.socket}",
                 f"--store={self.folder}/alarms.db"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=self._environment(), preexec_fn=self.before,
            )
        wait_for("the daemon answers", self._answers)
        if ready:
            wait_for("all plugins are ready", self.all_ready, limit=30)
        return self

    def _environment(self):
        usual = {"PATH": "/usr/bin:/bin", "HOME": self.directory, "TZ": "Europe/Berlin",
                 "XDG_RUNTIME_DIR": self.directory}
        return {name: value for name, value in {**usual, **self.environment}.items() if value is not None}

    def _answers(self):
        if self.child.poll() is not None:
            raise Failed(f"tocsind ended with {self.child.returncode}")
        try:
            self.connect().close()
            return True
        except OSError:
            return False

    def all_ready(self):
        """Whether each plugin has said `ready`."""
        return all(sink["state"] == "ready" for sink in self.sinks().values())

    def connect(self):
        """A connection for requests."""
        return Connection(self.socket)

    def subscribe(self):
        """A connection that gets events."""
        connection = self.connect()
        connection.ask("subscribe")
        connection.event("sync")
        return connection

    def ask(self, kind, **keys):
        """One request on a connection of its own."""
        connection = self.connect()
        try:
            return connection.ask(kind, **keys)
        finally:
            connection.close()

    def command(self, *words):
        """Runs `tocsin`; what it printed."""
        return subprocess.run(
            [machine.program("tocsin"), *words], check=True, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "HOME": "/root", "TOCSIN_SOCKET": self.socket},
        ).stdout

    def ring(self, after=0.05, title="Tea", **keys):
        """Sets a timer that rings in a moment; its alarm's identity."""
        alarm = {"id": identity(), "title": title, "countdown": {"preAlert": after, "postAlert": 300}}
        self.ask("schedule", alarm={**alarm, **keys})
        return alarm["id"]

    def sinks(self):
        """What it says of its plugins, by name."""
        return {line["sink"]["sink"]: line["sink"] for line in self.ask("sinks")[:-1]}

    def sink_pid(self, name):
        """The process of a plugin."""
        return self.sinks()[name].get("pid")

    def history(self, **keys):
        """What happened, newest first."""
        return [line["entry"] for line in self.ask("history", **keys)[:-1]]

    def presented(self, alarm, by=None, limit=20):
        """Waits until a sink, or that sink, has confirmed this alarm's alert."""
        def confirmed():
            return [
                entry for entry in self.history(alarm=alarm)
                if entry["event"] == "presented" and by in (None, entry.get("source"))
            ]
        return wait_for(f"{by or 'a sink'} presents it", confirmed, limit)

    def said(self):
        """All that it and its plugins have logged."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def logs(self, *words, limit=20):
        """Waits for a line of the log that has all these words in it; returns it."""
        def found():
            return [line for line in self.said().splitlines() if all(word in line for word in words)]
        return wait_for(f"a log line with {' and '.join(words)}", found, limit)[0]

    def terminate(self):
        """Ends it in order."""
        self.child.terminate()
        status = self.child.wait(20)
        if status != 0:
            raise Failed(f"tocsind ended with {status}")

    def kill(self):
        """Ends it as a crash does."""
        self.child.kill()
        self.child.wait()

    def end(self):
        """Ends all that is left of it."""
        if self.child and self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(5)
            except subprocess.TimeoutExpired:
                pass
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if self.child:
            self.child.wait()
        wait_for("its processes end", lambda: not self.processes())
        shutil.rmtree(self.directory, ignore_errors=True)

    def processes(self):
        """The processes that bear its directory in their environment: itself and its plugins."""
        mark = f"HOME={self.directory}\0".encode()
        found = []
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path, "rb") as file:
                    if mark in file.read():
                        found.append(int(path.split("/")[2]))
            except OSError:
                pass
        return found


_count = 0


def identity():
    """A new UUID."""
    global _count  # pylint: disable=global-statement
    _count += 1
    return f"00000000-0000-4000-8000-{os.getpid():06x}{_count:06x}"
