"""The machine as seen from outside: switched on, its daemon's socket, and switched off in no order."""
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HARDWARE = os.path.dirname(HERE)
PORTS = ("requests", "events")


class Lost(Exception):
    """The machine said nothing, or went off."""


class Line:
    """Lines of JSON over a port of the machine."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest = b""

    def send(self, message):
        """Sends one line."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, timeout):
        """The lines that come within a time."""
        if not select.select([self.socket], [], [], timeout)[0]:
            return []
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            raise Lost("the machine went off by itself")
        *whole, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in whole if line.startswith(b"{")]

    def leftover(self):
        """What it had said before it went off."""
        lines = []
        try:
            while more := self.receive(0):
                lines += more
        except (Lost, OSError):
            pass
        return lines


class Machine:
    """One time that the machine is on."""

    def __init__(self, words, disk):
        self.control = tempfile.mkdtemp(prefix="tocsin-cuts.", dir="/var/tmp")
        inside = ["/run/checkout/Tests/Hardware/cuts/inside", words.programs, words.tools]
        with open(f"{self.control}/command", "w", encoding="utf-8") as file:
            file.write("exec " + " ".join(inside) + "\n")
        extra = ["-drive", f"if=none,id=store,format=raw,file.driver=nbd,file.server.type=unix,"
                 f"file.server.path={disk.path}", "-device", "virtio-blk-pci,drive=store"]
        for port in PORTS:
            extra += ["-chardev", f"socket,id={port},server=on,wait=off,path={self.control}/{port}",
                      "-device", f"virtserialport,chardev={port},name={port}"]
        boot = [f"{HARDWARE}/machine/boot", words.bed, "/", words.checkout, self.control, "120", *extra]
        with open(f"{self.control}/said", "wb") as said:
            self.child = subprocess.Popen(  # pylint: disable=consider-using-with
                boot, start_new_session=True, stdout=said, stderr=said,
                env={**os.environ, "machine_clock": "outside"},
            )
        self.requests = self._port("requests")
        self.events = self._port("events")

    def _port(self, name):
        end = time.monotonic() + 20
        while True:
            try:
                return Line(f"{self.control}/{name}")
            except OSError as error:
                if time.monotonic() > end:
                    raise Lost(f"QEMU does not start: {self.said()}") from error
                time.sleep(0.02)

    def said(self):
        """What the programs in it have logged."""
        text = ""
        for name in ("said", "log", "console"):
            path = f"{self.control}/{name}"
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text += f"--- {name}\n" + "".join(file.readlines()[-25:])
        return text

    def switch_off(self):
        """As a plug that is pulled."""
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()

    def forget(self):
        """Removes what it left outside."""
        shutil.rmtree(self.control, ignore_errors=True)
