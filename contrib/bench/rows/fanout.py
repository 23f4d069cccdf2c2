"""Events to 1, 4 and 16 plugins, each acknowledged, beside pipes to as many bare processes.

The events are alarms that are all due at one instant. So the store has nothing to do before, no client asks
for anything meanwhile, and what is measured is the daemon's own way of an event: found due, routed, written
as a line, handed to each process, its answer read, judged and put on its way to the record. The time runs
from the due instant until the daemon has taken the last answer of the slowest sink; the disk may lag behind.

The floor waits for all answers to an event before the next, as whoever wants to know what came of each has
to; how many there are without that wait is in the note.
"""
import subprocess

from burst import Burst
from table import Growth, Row, median

PROCESSES = (1, 4, 16)


def rows(run):
    """Deliveries a second for each number of processes, then what each number costs as a whole."""
    events = 2_000 if run.quick else 10_000
    rounds = 1 if run.quick else 3
    costs, busiest = {}, 0.0
    for processes in PROCESSES:
        busy = run.calm()
        busiest = max(busiest, busy)
        bursts, floors, floods = [], [], []
        for _ in range(rounds):
            bursts.append(Burst(run.tools, events, processes))
            floors.append(_floor(run, processes, events, 1))
            floods.append(_floor(run, processes, events, events))
        costs[processes] = median([burst.acknowledged_ms for burst in bursts])
        deliveries = events * processes
        yield Row(
            f"{events:,} events to {_count(processes)}, each acknowledged: deliveries",
            _rate(deliveries, costs[processes]), "/s",
            floor=_rate(deliveries, median(floors)), times=0.5, least=True, busy=busy,
            note=f"{costs[processes] / deliveries * 1_000:.1f} µs each; the floor without waiting is"
            f" {_rate(deliveries, median(floods)):,.0f} /s{bursts[-1].troubles}",
            peers=run.peers.fan_out(processes),
        )
    yield Growth(f"{events:,} events, each acknowledged", "ms", "processes", costs, busiest)


def _floor(run, processes, events, window):
    text = subprocess.run(
        [run.tools.program("fanout"), str(processes), str(events), str(window)],
        check=True, stdout=subprocess.PIPE, text=True, timeout=120,
    ).stdout
    return int(text) / 1e6


def _rate(deliveries, milliseconds):
    return deliveries / milliseconds * 1_000


def _count(processes):
    return "1 process" if processes == 1 else f"{processes} processes"
