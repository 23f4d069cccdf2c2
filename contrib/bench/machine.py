"""What the figures were seen on, and whether anything else ran there."""
import os
import platform
import time


def description():
    """Cores, processor, memory, kernel."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = f" ({models[0]})" if models else ""
    return (
        f"{os.cpu_count()} cores{model}, {memory:.0f} GiB, "
        f"Linux {platform.release()} {platform.machine()}"
    )


def load():
    """The load averages."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def _ticks():
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


def busy(seconds=1.0):
    """The share of all cores that was busy during some seconds."""
    before = _ticks()
    time.sleep(seconds)
    after = _ticks()
    return 1 - (after[1] - before[1]) / max(1, after[0] - before[0])


def wait_for_calm(limit):
    """Waits until others leave the cores alone, at most `limit` seconds; returns how busy they are."""
    end = time.monotonic() + limit
    while True:
        share = busy()
        if share < 0.08 or time.monotonic() >= end:
            return share
