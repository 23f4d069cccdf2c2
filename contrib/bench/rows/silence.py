"""From a press to silence, on a virtual machine's own pins and sound card, whose clock counts instructions."""
import json
import os
import subprocess
import sys

import service
from table import Row

CHECK = "together: from a press"
# Where there can be no such machine, for this user or now.
ABSENT = (69, 75, 77)


def rows(run):
    """What the check of the virtual machine measures; nothing in a quick run."""
    if run.quick:
        return
    path = os.path.join(run.tools.directory("silence"), "figures.json")
    command = [os.path.join(run.root, "Tests", "Hardware", "run"), "--json", path, CHECK]
    result = subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900, text=True,
    )
    if result.returncode in ABSENT:
        print(f"left out: the virtual machine: {result.stdout.strip()}", file=sys.stderr)
        return
    if result.returncode != 0:
        raise service.Failure(f"the check of the virtual machine failed: {result.stdout[-2_000:]}")
    with open(path, encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    for name, figure in figures.items():
        yield Row(
            f"virtual machine: {name}", figure["value"], figure["unit"], limit=figure["limit"],
            note=figure["note"],
        )
