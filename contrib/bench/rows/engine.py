"""The engine without a daemon around it: setting, asking and cancelling, beside a bare binary heap."""
import subprocess

import heap
import service
from table import Growth, Row

SIZES = [10_000, 100_000, 1_000_000]
QUICK_SIZES = [1_000, 10_000, 100_000]
PATTERNS = {"fixed": "instants", "weekly": "two days of each week"}


def rows(run):
    """At three sizes, alarms at instants and alarms by the clock on the wall."""
    busy = run.calm()
    sizes = QUICK_SIZES if run.quick else SIZES
    floor = {size: heap.costs(run, size) for size in sizes}
    for what in ("insert", "cancel"):
        costs = {size: each[what] * size / 1e6 for size, each in floor.items()}
        yield Growth(f"floor: {what} all of a binary heap", "ms", "entries", costs, busy)
    for pattern, words in PATTERNS.items():
        ours = {
            size: _costs(run, [run.tools.binary("engine-costs"), pattern, str(size)])
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


def _costs(run, command):
    """Nanoseconds or bytes for one, by what was done."""
    text = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=300,
        env=run.tools.environment,
    ).stdout
    costs = {what: int(value) for what, value in (line.split() for line in text.splitlines())}
    if not {"insert", "cancel", "put", "take", "bytes"} <= costs.keys():
        raise service.Failure(f"{command[0]} did not measure all: {text}")
    return costs
