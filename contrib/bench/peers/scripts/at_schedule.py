"""How long `at` takes for one job, in microseconds: at_schedule.py AT COUNT."""
import json
import subprocess
import sys
import time


def main(program, count):
    """A process for each job, due tomorrow."""
    taken = []
    for _ in range(int(count)):
        start = time.monotonic_ns()
        subprocess.run(
            [program, "-M", "now + 1 day"], input=b"true\n", check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        taken.append((time.monotonic_ns() - start) / 1_000)
    json.dump(taken, sys.stdout)


main(*sys.argv[1:])
