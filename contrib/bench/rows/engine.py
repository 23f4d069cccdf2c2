"""The engine without a daemon around it: setting, asking and cancelling, beside a bare binary heap."""
import subprocess

import service
from table import Growth, Row, median

SIZES = [10_000, 100_000, 1_000_000]
QUICK_SIZES = [1_000, 10_000, 100_000]
# What the heap tells, and what the engine does besides.
BARE = {"insert", "cancel", "bytes"}
WHOLE = BARE | {"put", "take"}
PATTERNS = {"fixed": "instants", "weekly": "two days of each week"}


def rows(run):
    """At three sizes, alarms at instants and alarms by the clock on the wall."""
    busy = run.calm()
    sizes = QUICK_SIZES if run.quick else SIZES
    heap = run.tools.program("heap")
    floor = {size: _costs(run, BARE, heap, str(size), rounds=5) for size in sizes}
    for what in ("insert", "cancel"):
        costs = {size: each[what] * size / 1e6 for size, each in floor.items()}
        yield Growth(f"floor: {what} all of a binary heap", "ms", "entries", costs, busy)
    for pattern, words in PATTERNS.items():
        ours = {
            size: _costs(run, WHOLE, run.tools.binary("engine-costs"), pattern, str(size))
            for size in sizes
        }
        for what, name, bare, limit in (
            ("put", "put one into the table", "insert", 1_000),
            ("take", "take one out of it", "cancel", 1_000),
            ("insert", "set one, with record and answer", "insert", None),
            ("cancel", "cancel one, with record and answer", "cancel", None),
        ):
            for size in sizes[1:]:
                yield Row(
                    f"engine, {size:,} alarms at {words}: {name}", ours[size][what], "ns",
                    floor=floor[size][bare], limit=limit, busy=busy,
                    peers=_peers(run, what, size) if pattern == "fixed" else {},
                )
            costs = {size: ours[size][what] * size / 1e6 for size in sizes}
            yield Growth(f"engine, {words}: {name}", "ms for all", "alarms", costs, busy)
        yield Row(
            f"engine, {sizes[-1]:,} alarms at {words}: memory of each", ours[sizes[-1]]["bytes"],
            "B", floor=floor[sizes[-1]]["bytes"], limit=300, busy=busy,
        )


def _peers(run, what, size):
    """Others need minutes for more."""
    is_known = what in ("insert", "cancel") and size == 100_000 and not run.quick
    return run.peers.in_memory(what, size) if is_known else {}


def _costs(run, wanted, *command, rounds=1):
    """Nanoseconds or bytes for one, by what was done; medians of some rounds."""
    seen = [_round(run, wanted, command) for _ in range(rounds)]
    return {what: median([each[what] for each in seen]) for what in seen[0]}


def _round(run, wanted, command):
    text = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=300,
        env=run.tools.environment,
    ).stdout
    costs = {what: float(value) for what, value in map(str.split, text.splitlines())}
    if not wanted <= costs.keys():
        raise service.Failure(f"{command[0]} did not measure all: {text}")
    return costs
