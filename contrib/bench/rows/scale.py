"""Many alarms: start, memory, and a million of them."""
import subprocess

import process
import service
from table import Growth, Row, median


def rows(run):
    """Start and memory at four sizes."""
    floors = [_launch(run, ["-", run.tools.binary("tocsind"), "--version"]) for _ in range(11)]
    yield Row("exec to the end of tocsind --version", median(floors), "ms", busy=run.calm())
    sizes = [0, 1_000, 10_000, 100_000] + ([] if run.quick else [1_000_000])
    empty, starts = None, {}
    for size in sizes:
        daemon = service.Service(run.tools, f"n{size}", limit=max(1, size)).start()
        taken = 0.0
        for first in range(0, size, 100_000):
            taken += daemon.fill(service.weekly(min(100_000, size - first)))
        if daemon.count() != size:
            raise service.Failure(f"{size} alarms were set, {daemon.count()} are there")
        filled = _dirty(daemon)
        daemon.stop()
        times = [_start(run, daemon) for _ in range(5 if size >= 100_000 else 11)]
        busy = run.calm()
        daemon.start()
        if daemon.count() != size:
            raise service.Failure(f"{size} alarms were stored, {daemon.count()} came back")
        restarted = _dirty(daemon)
        daemon.remove()
        if size:
            starts[size] = median(times)
        if size in (0, 1_000, 100_000, 1_000_000):
            yield Row(
                f"exec to the first answer, {size:,} alarms", median(times), "ms",
                limit={1_000: 15, 100_000: 500}.get(size), busy=busy, peers=_starts(run, size),
            )
        if size == 10_000:
            yield Row(
                "setting each of 10,000 alarms, none waiting for the one before", taken / size * 1e6,
                "µs", busy=busy, peers=run.peers.insert(),
                note="in SQLite APScheduler has fewer, and a file of its own",
            )
        if size == 0:
            empty = restarted
        if size >= 10_000:
            yield Row(
                f"memory of each of {size:,} alarms", (restarted - empty) * 1024 / size, "B",
                limit=300, busy=busy,
                note=f"{(filled - empty) * 1024 / size:.0f} B while they were set;"
                f" that took {taken:.1f} s, {taken / size * 1e6:.0f} µs each",
            )
    yield Growth("exec to the first answer", "ms", "alarms", starts, busy)


def _starts(run, size):
    """Servers with nothing to load, and a reminder's answer from as many entries."""
    if size == 0:
        return run.peers.cold_start()
    return run.peers.query(size) if size <= 100_000 else {}


def _launch(run, arguments, environment=None):
    text = subprocess.run(
        [run.tools.program("launch"), *arguments],
        check=True, stdout=subprocess.PIPE, env=environment, timeout=120, text=True,
    ).stdout
    return int(text.split()[-1]) / 1e6


def _start(run, daemon):
    return _launch(run, [daemon.socket_path, *daemon.arguments], daemon.environment)


def _dirty(daemon):
    daemon.settle([daemon.pid], quiet=2)
    return process.memory(daemon.pid)["Private_Dirty"]
