"""What /proc says of a process."""
import os
import re


def voluntary_switches(pid):
    """How often its threads went to sleep, and so were woken."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii") as file:
            total += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M)[1])
    return total


def memory(pid):
    """Kilobytes by their names in smaps_rollup, such as Pss."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return {name: int(kb) for name, kb in re.findall(r"^(\w+):\s*(\d+) kB", file.read(), re.M)}
