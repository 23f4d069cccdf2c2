"""Small file systems for a store: filled up, taken away from writers, and given back."""
import fcntl
import os
import subprocess
import tempfile

import machine

_SHUT_DOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN: as a card that is pulled out


class Disk:
    """A file system of a few megabytes at a place of its own: `ext4`, or `tmpfs`."""

    def __init__(self, kind="ext4", megabytes=8):
        self.kind = kind
        self.megabytes = megabytes
        self.path = tempfile.mkdtemp(prefix="disk-")
        self.image = f"{self.path}.image"
        self.is_mounted = False
        if kind == "ext4":
            with open(self.image, "wb") as file:
                file.truncate(megabytes << 20)
            _run("mkfs.ext4", "-q", "-m", "0", "-O", "has_journal", "-J", "size=1", self.image)
            machine.load("loop")
        self.mount()
        machine.ends(self)

    @property
    def store(self):
        """A folder for the store's files alone."""
        path = os.path.join(self.path, "tocsin")
        os.makedirs(path, mode=0o700, exist_ok=True)
        return path

    def mount(self):
        """Makes it appear."""
        if self.kind == "ext4":
            _run("mount", "-o", "loop,errors=remount-ro", self.image, self.path)
        else:
            _run("mount", "-t", "tmpfs", "-o", f"size={self.megabytes}m", "none", self.path)
        self.is_mounted = True

    def fill(self):
        """Leaves no byte free, as root and for anybody."""
        size = 1 << 16
        with open(os.path.join(self.path, "ballast"), "ab", buffering=0) as file:
            while size:
                try:
                    while file.write(b"x" * size) == size:
                        pass
                    os.fsync(file.fileno())
                except OSError:
                    pass
                size //= 16

    def empty(self):
        """Makes room again."""
        os.remove(os.path.join(self.path, "ballast"))

    def become_read_only(self):
        """Takes no more writes, as after an error of the device, whoever has files open."""
        _run("mount", "-o", "remount,abort", self.path)

    def fail(self):
        """Answers every read and write with an error."""
        folder = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, _SHUT_DOWN, bytes([2, 0, 0, 0]))
        finally:
            os.close(folder)

    def repair(self):
        """Makes it appear anew at the same place, checked as at a boot; nobody may have it open."""
        _run("umount", self.path)
        self.is_mounted = False
        subprocess.run(["e2fsck", "-p", self.image], check=False, stdout=subprocess.DEVNULL)
        self.mount()

    def end(self):
        """Makes it disappear."""
        if self.is_mounted:
            _run("umount", "-l", self.path)
        if os.path.exists(self.image):
            os.remove(self.image)


def _run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
