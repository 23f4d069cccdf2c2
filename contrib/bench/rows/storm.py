"""Very many alarms at once: how long until all are presented, the more important first."""
from burst import Burst
from table import Growth, Row, median

SIZES = (1_000, 3_000, 10_000)


def rows(run):
    """All at one instant at three sizes, then at random microseconds of one second."""
    rounds = 1 if run.quick else 3
    busy = run.calm()
    costs = {
        size: median([Burst(run.tools, size, 1).presented_ms for _ in range(rounds)])
        for size in SIZES
    }
    most = SIZES[-1]
    yield Row(
        f"{most:,} alarms due at one instant: until the sink has read the last", costs[most], "ms",
        limit=1_000, busy=busy, note="in order of priority, none lost, none twice",
        peers=run.peers.storm(),
    )
    yield Growth("alarms due at one instant, until the last is read", "ms", "alarms", costs, busy)
    spread = [Burst(run.tools, most, 1, spread=1_000_000).presented_ms for _ in range(rounds)]
    yield Row(
        f"{most:,} alarms due within one second: from the last one's instant to its read",
        median(spread), "ms", limit=1_000, busy=busy,
    )
