"""A daemon of its own in a temporary directory, and its socket."""
import json
import os
import random
import shutil
import socket
import subprocess
import threading
import time
import uuid

import process


class Failure(Exception):
    """A wrong result, not a slow one."""


class Service:
    """Starts `tocsind`, speaks to it, ends it."""

    def __init__(self, tools, name, config=None, limit=10_000):
        self.tools = tools
        self.directory = tools.directory(name)
        self.socket_path = os.path.join(self.directory, "s")
        self.store = os.path.join(self.directory, "alarms.db")
        self.config = os.path.join(self.directory, "plugins.conf")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(config or "")
        os.mkdir(self.config + ".d")
        with open(self.config + ".d/limit.conf", "w", encoding="utf-8") as file:
            file.write(f"[daemon]\nalarm-limit = {limit}\n")
        self.child = None

    @property
    def environment(self):
        """Nothing of the machine's own, and a zone that changes its clocks."""
        return {
            **self.tools.environment,
            "HOME": self.directory,
            "TZ": "Europe/Berlin",
        }

    @property
    def arguments(self):
        return [
            self.tools.binary("tocsind"),
            f"--config={self.config}",
            f"--store={self.store}",
            f"--socket={self.socket_path}",
        ]

    def start(self):
        """Starts it and waits for its first answer."""
        with open(os.path.join(self.directory, "out"), "ab") as out:
            self.child = subprocess.Popen(  # pylint: disable=consider-using-with
                self.arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env=self.environment, cwd=self.directory, start_new_session=True,
            )
        self.tools.started(self.child)
        end = time.monotonic() + 60
        while True:
            try:
                self.ask({"type": "status"})
                return self
            except OSError as error:
                if self.child.poll() is not None or time.monotonic() > end:
                    raise Failure(f"tocsind does not serve: {self.said()}") from error
                time.sleep(0.002)

    def said(self, most=2000):
        """The end of what it printed."""
        with open(os.path.join(self.directory, "out"), encoding="utf-8", errors="replace") as file:
            return file.read()[-most:]

    def stop(self):
        """Ends it in order; its store stays."""
        self.child.terminate()
        if self.child.wait(60) != 0:
            raise Failure(f"tocsind ended with {self.child.returncode}: {self.said()}")
        self.child = None

    def remove(self):
        """Ends it and removes its directory."""
        if self.child:
            self.stop()
        shutil.rmtree(self.directory)

    @property
    def pid(self):
        return self.child.pid

    @property
    def sink_pid(self):
        """Its only plugin."""
        found = process.children(self.pid)
        if len(found) != 1:
            raise Failure(f"one plugin should run, not {len(found)}: {self.said()}")
        return found[0]

    def wait_for_sinks(self, count, limit=30):
        """Waits until so many have said that they are ready."""
        end = time.monotonic() + limit
        while True:
            sinks = [line["sink"] for line in self.ask({"type": "sinks"}) if line["type"] == "sink"]
            if len([sink for sink in sinks if sink["state"] == "ready"]) == count:
                return
            if time.monotonic() > end:
                raise Failure(f"not all sinks are ready: {sinks}; {self.said()}")
            time.sleep(0.05)

    def connect(self):
        """A connection of its own."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(120)
        connection.connect(self.socket_path)
        return connection

    def ask(self, request):
        """One request; all lines of its answer."""
        with self.connect() as connection:
            connection.sendall(json.dumps({"id": "1", **request}).encode() + b"\n")
            lines = []
            with connection.makefile("rb") as answers:
                for line in answers:
                    lines.append(json.loads(line))
                    if lines[-1]["type"] in ("ok", "error"):
                        break
        if not lines or lines[-1]["type"] != "ok":
            raise Failure(f"{request['type']} was answered {lines[-1:]}")
        return lines

    def count(self):
        """How many alarms it says there are."""
        return self.ask({"type": "status"})[-1]["status"]["alarms"]

    def fill(self, alarms):
        """Schedules alarms one after the other without waiting; returns seconds."""
        start = time.monotonic()
        with self.connect() as connection:
            sender = threading.Thread(target=_send, args=(connection, alarms))
            sender.start()
            done, rest = 0, b""
            while done < len(alarms):
                piece = connection.recv(1 << 20)
                if not piece:
                    raise Failure(f"the daemon hung up after {done} alarms: {self.said()}")
                text, _, rest = (rest + piece).rpartition(b"\n")
                done += text.count(b'"type":"ok"')
                if b'"type":"error"' in text:
                    raise Failure(f"refused: {text[text.index(b'error') - 8:][:300]!r}")
            sender.join()
        return time.monotonic() - start

    def settle(self, pids, quiet=3, limit=90):
        """Waits until nothing of it has run for a while; false if that did not come."""
        end = time.monotonic() + limit
        last, since = None, time.monotonic()
        while time.monotonic() < end:
            seen = [process.switches(pid) for pid in pids]
            if seen != last:
                last, since = seen, time.monotonic()
            elif time.monotonic() - since >= quiet:
                return True
            time.sleep(0.2)
        return False


def _send(connection, alarms):
    for first in range(0, len(alarms), 500):
        connection.sendall(b"".join(
            b'{"type":"schedule","id":"1","alarm":%b}\n' % alarm
            for alarm in alarms[first:first + 500]
        ))


_random = random.Random(1)


def identity():
    """A random UUID, the same ones in each run."""
    return str(uuid.UUID(int=_random.getrandbits(128), version=4))


def weekly(count):
    """Alarms for two days of each week, none due within the next hours."""
    now = time.gmtime()
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    alarms = []
    for number in range(count):
        # The daemon's zone is one or two hours ahead of this clock.
        minute = (now.tm_hour * 60 + now.tm_min + 300 + number % 840) % 1440
        alarms.append(
            b'{"id":"%b","title":"Medicine number %d","schedule":{"time":"%02d:%02d",'
            b'"repeats":["%b","%b"]}}' % (
                identity().encode(), number, minute // 60, minute % 60,
                days[number % 7].encode(), days[(number + 3) % 7].encode(),
            )
        )
    return alarms


def timers(count):
    """Countdowns that end tomorrow."""
    return [
        b'{"id":"%b","title":"Oven number %d","countdown":{"preAlert":%d}}'
        % (identity().encode(), number, 86_400 + number)
        for number in range(count)
    ]
