#!/usr/bin/env python3
"""Storms of clients against a daemon, while another client asks `status`: how long it waits.

    contrib/hostile/storm.py TOCSIND [SECONDS]

Prints for each storm the median, the 99th hundredth and the longest answer, what the storm did, and the
daemon's descriptors and memory before and after. Fails on a missing answer, never on a slow one.
"""
import array
import multiprocessing
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time

STATUS = b'{"type":"status","id":"s"}\n'


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    client.connect(path)
    return client


def each(work):
    """A storm that does one thing over and over."""
    def storm(path, over, count):
        while not over.is_set():
            try:
                work(path)
                count.value += 1
            except OSError:
                pass
    return storm


@each
def nothing(_):
    time.sleep(0.1)


@each
def come_and_go(path):
    connect(path).close()


@each
def pipelines(path):
    client = connect(path)
    client.setblocking(False)
    try:
        while True:
            client.send(STATUS * 500)
    except BlockingIOError:
        client.close()


@each
def descriptors(path):
    client = connect(path)
    client.sendmsg([b" "], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 200))])
    client.close()


@each
def urgent(path):
    client = connect(path)
    client.send(b"!", socket.MSG_OOB)
    client.close()


def crowd(path, over, count):
    clients = []
    while not over.is_set():
        try:
            clients.append(connect(path))
            count.value += 1
        except OSError:
            clients = []
        if len(clients) > 900:
            clients = []


def ten_thousand(path, over, count):
    """Ten thousand connections that stay, never read, and send a byte a second each."""
    clients = []
    while not over.is_set():
        start = time.monotonic()
        while len(clients) < 10_000 and not over.is_set():
            try:
                clients.append(connect(path))
                count.value += 1
            except OSError:
                break
        for client in clients:
            try:
                client.send(b" ", socket.MSG_DONTWAIT)
            except OSError:
                pass
        over.wait(max(0, start + 1 - time.monotonic()))


def stalled(path, over, count):
    clients = [connect(path) for _ in range(12)]
    for client in clients:
        client.send(b'{"type":"subscribe","id":"1"}\n')
    bytewise = connect(path)
    while not over.is_set():
        bytewise.send(b" ")
        count.value += 1


def answers(client):
    """The lines of a client until an answer to `status`."""
    data = b""
    while b'"type":"ok"' not in data:
        try:
            piece = client.recv(65536)
        except TimeoutError:
            sys.exit("storm: the client that behaves got no answer for 20 s")
        if not piece:
            sys.exit("storm: the daemon closed the connection of the client that behaves")
        data += piece


def load(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        memory = next(line.split()[1] for line in file if line.startswith("Pss:"))
    return f"{len(os.listdir(f'/proc/{pid}/fd'))} descriptors {int(memory) / 1024:.1f} MB"


def measure(storm, path, pid, seconds):
    over, count = multiprocessing.Event(), multiprocessing.Value("q", 0)
    client = connect(path)
    before = load(pid)
    attacker = multiprocessing.Process(target=storm, args=(path, over, count), daemon=True)
    attacker.start()
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.perf_counter()
        client.sendall(STATUS)
        answers(client)
        times.append(time.perf_counter() - start)
        time.sleep(0.002)
    over.set()
    attacker.join(5)
    attacker.kill()
    client.close()
    time.sleep(0.5)
    times.sort()
    shown = [1000 * times[int(part * (len(times) - 1))] for part in (0.5, 0.99, 1)]
    print("%-14s %8.2f %8.2f %8.2f ms %8d times  %s, %s" % (
        storm.__name__, *shown, count.value, before, load(pid)), flush=True)


def main():
    program, seconds = sys.argv[1], float((sys.argv + ["", "3"])[2] or 3)
    with tempfile.TemporaryDirectory(prefix="tocsin-storm.") as directory:
        path, config = f"{directory}/s", f"{directory}/plugins.conf"
        with open(config, "w", encoding="utf-8"):
            pass
        daemon = subprocess.Popen(
            [program, f"--socket={path}", f"--store={directory}/alarms.db", f"--config={config}"],
            stderr=subprocess.DEVNULL)
        try:
            while not os.path.exists(path):
                time.sleep(0.01)
            time.sleep(0.5)
            for storm, name in STORMS:
                storm.__name__ = name
                measure(storm, path, daemon.pid, seconds)
            if daemon.poll() is not None:
                sys.exit("storm: the daemon has ended")
        finally:
            daemon.kill()
            daemon.wait()


STORMS = [
    (nothing, "nothing"), (come_and_go, "come and go"), (crowd, "a crowd"), (pipelines, "pipelines"),
    (descriptors, "descriptors"), (urgent, "urgent bytes"), (stalled, "stalled"),
    (ten_thousand, "ten thousand"),
]

if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 16_384) if most > 0 else 16_384, most))
    main()
