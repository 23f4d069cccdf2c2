"""A disk that forgets at a power cut what it was not told to keep: an NBD server with a cache of its own.

What the machine has flushed stands. Of what it wrote after that, any sectors may have reached the
disk, in any order, and the others not.
"""
import os
import socket
import struct
import threading

SECTOR = 512
_READ, _WRITE, _DISCONNECT, _FLUSH, _ZERO, _FUA = 0, 1, 2, 3, 6, 1
_GO, _ABORT, _INFORMATION, _DONE, _UNSUPPORTED = 7, 2, 3, 1, 0x80000001


class Disk:
    """The disk; its contents stay over cuts. Serves one machine at a time on a Unix socket.

    One that lies says that it has flushed and has not, to see that such is found out.
    """

    def __init__(self, path, contents, lies=False):
        self.path = path
        self.lies = lies
        self.lasting = bytearray(contents)
        self.current = bytearray(contents)
        self.written = []  # where, and how much, since the last flush
        self.lock = threading.Lock()
        self.writes = self.flushes = self.times = 0
        self.cut_at = None
        self.is_cut = threading.Event()
        self.server = socket.socket(socket.AF_UNIX)
        if os.path.exists(path):
            os.remove(path)
        self.server.bind(path)
        self.server.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def power_on(self, cut_at=None):
        """Takes writes from now on; goes off by itself at that write or flush, the first is 1."""
        with self.lock:
            self.writes = self.flushes = 0
            self.cut_at = cut_at
            self.is_cut.clear()

    def power_off(self, random):
        """Forgets some of what was written and not flushed; returns how many sectors of how many."""
        with self.lock:
            self.is_cut.set()
            self.times += 1  # what the machine said last is heard no more
            sectors = [(at, index) for index, (start, length) in enumerate(self.written)
                       for at in range(start, start + length, SECTOR)]
            chance = random.choice((0, 0.1, 0.5, 0.9, 1))
            kept = {at for at, _ in sectors if random.random() < chance}
            for at in kept:
                self.lasting[at:at + SECTOR] = self.current[at:at + SECTOR]
            self.current[:] = self.lasting
            self.written = []
            total = len({at for at, _ in sectors})
            return total - len(kept), total

    def _serve(self):
        while True:
            machine, _ = self.server.accept()
            threading.Thread(target=self._serve_one, args=(machine,), daemon=True).start()

    def _serve_one(self, machine):
        times = self.times
        try:
            with machine, machine.makefile("rb") as stream:
                if self._agree(machine, stream):
                    while self._answer(machine, stream, times):
                        pass
        except (OSError, EOFError, struct.error):
            pass  # the machine is off

    def _agree(self, machine, stream):
        machine.sendall(b"NBDMAGICIHAVEOPT" + struct.pack(">H", 3))
        stream.read(4)
        while True:
            _, option, length = struct.unpack(">QII", stream.read(16))
            stream.read(length)

            def reply(kind, data=b"", option=option):
                machine.sendall(struct.pack(">QIII", 0x3E889045565A9, option, kind, len(data)) + data)
            if option == _GO:
                # Has flags, takes flushes, and writes that count as flushed.
                reply(_INFORMATION, struct.pack(">HQH", 0, len(self.current), 1 | 4 | 8))
                reply(_DONE)
                return True
            reply(_DONE if option == _ABORT else _UNSUPPORTED)
            if option == _ABORT:
                return False

    def _answer(self, machine, stream, times):
        _, flags, kind, handle, at, length = struct.unpack(">IHHQQI", stream.read(28))
        data = stream.read(length) if kind == _WRITE else b""
        answer = b""
        with self.lock:
            if kind == _DISCONNECT or times != self.times:
                return False
            if kind in (_WRITE, _ZERO, _FLUSH):
                self.writes += kind != _FLUSH
                self.flushes += kind == _FLUSH
                if self.cut_at is not None and self.writes + self.flushes >= self.cut_at:
                    # The last write may be in part on the disk, the last flush is not done.
                    self.is_cut.set()
                    if kind == _WRITE:
                        self._write(at, data)
            if self.is_cut.is_set():
                return True  # a disk without power answers nothing, not even that it failed
            if kind == _READ:
                answer = bytes(self.current[at:at + length])
            elif kind in (_WRITE, _ZERO):
                self._write(at, data or bytes(length))
            if self.lies:
                pass
            elif kind == _FLUSH:
                self._flush()
            elif flags & _FUA:
                self.lasting[at:at + length] = self.current[at:at + length]
        machine.sendall(struct.pack(">IIQ", 0x67446698, 0, handle) + answer)
        return True

    def _write(self, at, data):
        self.current[at:at + len(data)] = data
        self.written.append((at, len(data)))

    def _flush(self):
        for at, length in self.written:
            self.lasting[at:at + length] = self.current[at:at + length]
        self.written = []
