"""A binary heap in C, the floor of a table of deadlines."""
import statistics
import subprocess


def costs(run, count):
    """Nanoseconds of `insert` and `cancel` and the `bytes` of one of so many entries; medians."""
    rounds = [_round(run, count) for _ in range(5)]
    return {what: statistics.median(each[what] for each in rounds) for what in rounds[0]}


def _round(run, count):
    text = subprocess.run(
        [run.tools.program("heap"), str(count)],
        check=True, stdout=subprocess.PIPE, timeout=120, text=True,
    ).stdout
    return {name: float(value) for name, value in map(str.split, text.splitlines())}
