"""What /proc says of a process."""
import os
import re


def switches(pid):
    """Context switches of all threads: how often it was woken or had to give way."""
    return sum(switches_by_thread(pid).values())


def switches_by_thread(pid):
    """The same for each thread; those of threads that have ended are forgotten."""
    seen = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii") as file:
                counts = re.findall(r"ctxt_switches:\s*(\d+)", file.read())
        except FileNotFoundError:
            continue
        seen[thread] = sum(map(int, counts))
    return seen


def memory(pid):
    """Kilobytes by their names in smaps_rollup, such as Pss and Private_Dirty."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return {name: int(kb) for name, kb in re.findall(r"^(\w+):\s*(\d+) kB", file.read(), re.M)}


def libraries(pid):
    """Names of the files that are mapped as code."""
    names = set()
    with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
        for line in file:
            part = line.split(maxsplit=5)
            if len(part) == 6 and "x" in part[1]:
                names.add(part[5].strip())
    return names


def name(pid):
    """What the program is called, as far as the kernel keeps it: 15 letters."""
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().strip()


def children(pid):
    """The processes it started, on whichever thread."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
            found += [int(child) for child in file.read().split()]
    return found
