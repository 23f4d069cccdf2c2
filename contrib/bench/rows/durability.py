"""`schedule` to its ok, beside a durable write of the same file system."""
import os
import subprocess

import service
import wal
from table import Row, median, quantile


def rows(run):
    """One client, then eight."""
    yield from _one(run)
    yield from _eight(run)


def _measure(run, name, rounds, batch, clients):
    daemon = service.Service(run.tools, name).start()
    # The first backup empties the log in a quiet moment; the next change begins it anew.
    daemon.fill(service.weekly(1))
    busy = run.calm()
    daemon.settle([daemon.pid])
    daemon.fill(service.weekly(1))
    before = wal.commits(daemon.store + "-wal")
    text = subprocess.run(
        [
            run.tools.program("durable"), daemon.socket_path, os.path.dirname(daemon.store),
            str(rounds), str(batch), str(clients),
        ],
        check=True, stdout=subprocess.PIPE, text=True, timeout=300,
    ).stdout
    figures = {}
    for line in text.splitlines():
        what, nanoseconds = line.split()
        figures.setdefault(what, []).append(int(nanoseconds) / 1_000)
    after = wal.commits(daemon.store + "-wal")
    # A log that began anew has forgotten some.
    if before[0] == after[0]:
        figures["commits"] = after[1] - before[1]
    wanted = rounds * batch * clients
    if len(figures["ours"]) != wanted or daemon.count() != wanted + 2:
        raise service.Failure(f"{wanted} alarms were acknowledged, {daemon.count()} are there")
    daemon.stop()
    daemon.start()
    if daemon.count() != wanted + 2:
        raise service.Failure(f"{wanted} alarms were acknowledged, {daemon.count()} were stored")
    daemon.remove()
    return figures, busy


def _one(run):
    figures, busy = _measure(run, "one", 20, 25, 1)
    in_place, asked = median(figures["inplace"]), median(figures["asked"])
    yield Row(
        "schedule to its ok, one client, p50", median(figures["ours"]), "µs",
        floor=median(figures["append"]), times=1.5, busy=busy,
        note=f"the floor appends 4 KiB; written in place it is {in_place:.0f} µs; appended for another"
        f" process through a socket, by a thread that may wait for the disk, it is {asked:.0f} µs, so"
        f" ours is {median(figures['ours']) / asked:.2f} times the least that a server can take",
        peers=run.peers.durable("p50"),
    )
    yield Row(
        "schedule to its ok, one client, p99", quantile(figures["ours"], 0.99), "µs",
        floor=quantile(figures["append"], 0.99), busy=busy, peers=run.peers.durable("p99"),
    )


def _eight(run):
    figures, busy = _measure(run, "eight", 10, 25, 8)
    yield Row(
        "schedule to its ok, each of eight clients, p50", median(figures["ours"]), "µs",
        floor=median(figures["append"]), busy=busy,
    )
    requests = 8 * 25
    yield Row(
        "eight clients: time for each request", median(figures["wall"]) / requests, "µs",
        floor=median(figures["append"]), times=1, busy=busy,
    )
    # Few enough for the log not to begin anew.
    figures, busy = _measure(run, "share", 1, 50, 8)
    if "commits" in figures:
        yield Row(
            "eight clients: commits for each request", figures["commits"] / len(figures["ours"]),
            "", limit=0.5, busy=busy, note=f"{figures['commits']} for {len(figures['ours'])}",
        )
