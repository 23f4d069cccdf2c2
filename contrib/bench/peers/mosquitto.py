"""The broker mosquitto, with its own two clients."""
import contextlib
import os
import signal
import socket
import subprocess
import time

from . import programs

CONNECT = b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x3c\x00\x02cc"
CONNACK = b"\x20\x02\x00\x00"
TOPIC = "alarm"
READY = "ready"


@contextlib.contextmanager
def resident(run):
    """A broker that accepts connections; its process, and the seconds from exec to its first CONNACK."""
    with _broker(run) as (child, seconds, _):
        yield child, seconds


def fan_out(run, subscribers, events):
    """Deliveries a second with QoS 1: from the first event until the last was acknowledged."""
    body = "".join(f"event {number}\n" for number in range(events)).encode()
    with contextlib.ExitStack() as stack:
        publisher, children = _clients(run, stack, subscribers, "-C", str(events + 1))
        start = time.monotonic()
        publisher.stdin.write(body)
        publisher.stdin.close()
        for child, _ in children:
            child.wait(60)
        taken = time.monotonic() - start
        for _, path in children:
            with open(path, "rb") as heard:
                if heard.read() != READY.encode() + b"\n" + body:
                    raise programs.Absent("a subscriber did not hear every event in order")
    return subscribers * events / taken


def stall(run, seconds):
    """Seconds without a delivery to the other three subscribers while one is stopped."""
    with contextlib.ExitStack() as stack:
        publisher, children = _clients(run, stack, 4, "-F", "%U")
        struck = children.pop()[0]
        end = time.monotonic() + seconds + 1
        stopped = False
        while time.monotonic() < end:
            publisher.stdin.write(b"event\n")
            publisher.stdin.flush()
            time.sleep(0.005)
            if not stopped and time.monotonic() > end - seconds - 0.5:
                struck.send_signal(signal.SIGSTOP)
                stopped = True
        struck.send_signal(signal.SIGCONT)
        time.sleep(0.5)
        gaps = []
        for _, path in children:
            with open(path, encoding="ascii") as heard:
                # The first is what was retained, from before.
                stamps = [float(line) for line in heard][1:]
            if len(stamps) < seconds * 20:
                raise programs.Absent(f"a subscriber heard {len(stamps)} events")
            gaps += [later - earlier for earlier, later in zip(stamps, stamps[1:])]
    return max(gaps)


def _clients(run, stack, subscribers, *words):
    """A publisher of its lines, and subscribers that are ready, each with the file of what it heard."""
    subscribe, publish = programs.find("mosquitto_sub"), programs.find("mosquitto_pub")
    directory = run.tools.directory("peers-mosquitto")
    _, _, port = stack.enter_context(_broker(run))
    client = ["-h", programs.HOST, "-p", str(port), "-q", "1", "-t", TOPIC]
    # What is retained comes first, and so tells who has subscribed.
    programs.output(run, [publish, *client, "-r", "-m", READY])
    children = []
    for index in range(subscribers):
        path = os.path.join(directory, f"heard{index}")
        with open(path, "wb") as heard:
            command = [subscribe, *client, *words]
            child = stack.enter_context(programs.started(run, command, stdout=heard))
        children.append((child, path))
    for child, path in children:
        programs.until(lambda path=path: os.path.getsize(path) > 0, child)
    publisher = stack.enter_context(
        programs.started(run, [publish, *client, "-l"], stdin=subprocess.PIPE)
    )
    return publisher, children


@contextlib.contextmanager
def _broker(run):
    directory = run.tools.directory("peers-mosquitto")
    os.chmod(directory, 0o755)
    port = programs.free_port()
    path = os.path.join(directory, "conf")
    with open(path, "w", encoding="ascii") as file:
        # It drops what its queues do not hold, so they hold all.
        file.write(
            f"listener {port} {programs.HOST}\nallow_anonymous true\nlog_dest none\n"
            "max_inflight_messages 0\nmax_queued_messages 0\nset_tcp_nodelay true\n"
        )
    with programs.started(run, [programs.find("mosquitto"), "-c", path]) as child:
        seconds = programs.until(lambda: _accepts(port), child)
        yield child, seconds, port


def _accepts(port):
    try:
        with socket.create_connection((programs.HOST, port), timeout=5) as connection:
            connection.sendall(CONNECT)
            return connection.recv(4) == CONNACK
    except OSError:
        return False
