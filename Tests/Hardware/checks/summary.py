"""The last lines of a run, and its measurements in one file: CONTROL/*/figures.json together."""
import glob
import json
import sys


def main(control, path=None):
    """Prints how many checks passed, and writes all measurements to `path`."""
    whole = {"host": "", "figures": {}, "failed": [], "passed": 0, "skipped": 0, "fell": []}
    for name in sorted(glob.glob(f"{control}/*/figures.json")):
        with open(name, encoding="utf-8") as file:
            part = json.load(file)
        whole["host"] = part["host"]
        whole["figures"] |= part["figures"]
        for count in ("failed", "fell", "passed", "skipped"):
            whole[count] += part[count]
    failed = whole["failed"]
    total = whole["passed"] + whole["skipped"] + len(failed)
    print(f"{whole['passed']} of {total} checks passed, {len(failed)} failed, {whole['skipped']} skipped")
    for name in whole["fell"]:
        print(f"the machine's kernel fell over in: {name}")
    for name in failed:
        print(f"failed: {name}")
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(whole, file, indent=2)
            file.write("\n")


main(*sys.argv[1:])
