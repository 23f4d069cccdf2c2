"""A plugin that hangs, one that floods the daemon, one that writes endless lines: what others notice."""
import os
import signal
import time

import alerts
from alerts import PROBES
from table import Row, quantile

ROGUE = "rogue"
# What the rogue does, and how it is said in the table.
WAYS = {
    "hang": "a plugin hangs",
    "flood": "a plugin floods the daemon with lines",
    "long": "a plugin writes lines of 10 MB",
}


def rows(run):
    """Quiet and struck phases in turns, so that the machine's own noise is the same in both."""
    # The hang is as long as one phase: so long does the rogue not read. The shorter they are, the more
    # alike are quiet and struck ones on a machine with neighbours.
    hang, phase = (1, 1) if run.quick else (30, 10)
    rounds = 3
    for way, what in WAYS.items():
        busy = run.calm()
        rogue = f"[plugin {ROGUE}]\nrun = {run.tools.program('rogue')} {way}\n"
        # Nobody ends it for its silence: it is to be a burden for as long as it can.
        probed = alerts.Probed(
            run.tools, f"isolation-{way}", rogue + "receipt-timeout = 1min\n"
        )
        seen = {False: [], True: []}
        for number in range(2 * rounds):
            is_struck = number % 2 == 1
            seen[is_struck] += _phase(probed, is_struck, hang if way == "hang" else phase)
        probed.daemon.remove()
        stalls = run.peers.stall() if way == "hang" else {}
        for name, share, times in (("p50", 0.5, None), ("p99", 0.99, 1.1)):
            yield Row(
                f"{what}: due instant to the other sinks' read, {name}",
                quantile(seen[True], share), "µs", floor=quantile(seen[False], share),
                times=times, busy=busy, peers=stalls if times else {},
                note=f"{len(seen[True])} alerts; the floor is {len(seen[False])} in between"
                if times else "",
            )


def _phase(probed, is_struck, seconds):
    """Alerts for all sinks for so long; how late they reached those that are well."""
    beats, _ = probed.beats(int(seconds * 50), apart=0.02, lead=0.3 + seconds * 0.05)
    rogue = probed.pid(ROGUE)
    if is_struck:
        os.kill(rogue, signal.SIGUSR1)
    time.sleep(max(0, beats[-1][1] / 1e6 + 0.2 - time.time()))
    late = [value for name in PROBES for value in probed.late(beats, name)]
    if is_struck:
        os.kill(rogue, signal.SIGUSR2)
    probed.daemon.ask({"type": "cancel", "target": "alerting"})
    # It reads what has piled up.
    time.sleep(0.3)
    return late
