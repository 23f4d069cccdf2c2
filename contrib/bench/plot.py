"""Draws the JSON of a run, from standard input: ours beside floor and peers, and how cost grows.

    plot.py FOLDER      writes speed-peers.svg and speed-growth.svg there

It needs matplotlib, which contrib/bench/peers/install fetches.
"""
import json
import sys

import matplotlib

matplotlib.use("svg")
# Text stays text, and the same figures give the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tocsin", "font.size": 9})

# pylint: disable=wrong-import-position
from matplotlib import pyplot  # noqa: E402

COLOURS = {"ours": "#0b6e4f", "floor": "#9a9a9a", "peer": "#c8553d"}


def peers(rows, path):
    """Bars for every row that has a peer, each row with an axis of its own, as the units differ."""
    rows = [row for row in rows if any(value > 0 for value in row["peers"].values())]
    if not rows:
        return
    heights = [2 + len(row["peers"]) for row in rows]
    figure, axes = pyplot.subplots(
        len(rows), 1, figsize=(8, 0.28 * sum(heights) + 0.55 * len(rows)),
        gridspec_kw={"height_ratios": heights}, layout="constrained", squeeze=False,
    )
    for axis, row in zip(axes[:, 0], rows):
        bars = [("Tocsin", row["ours"], "ours")]
        if row["floor"]:
            bars.append(("floor", row["floor"], "floor"))
        bars += [(name, value, "peer") for name, value in row["peers"].items()]
        least = min(value for _, value, _ in bars if value > 0)
        axis.barh(
            [name for name, _, _ in bars], [value for _, value, _ in bars],
            color=[COLOURS[kind] for _, _, kind in bars],
        )
        axis.invert_yaxis()
        axis.set_xscale("log")
        # A logarithmic axis has no zero: what is none has no bar, and the least has a short one.
        axis.set_xlim(left=least / 2)
        better = "more is better" if row["least"] else "less is better"
        unit = f" [{row['unit']}]" if row["unit"] else ""
        axis.set_title(f"{row['what']}{unit}, {better}", loc="left", fontsize=9)
    _save(figure, path)


def growth(growths, path):
    """Lines for every figure at several sizes, as multiples of the first one."""
    growths = [each for each in growths if len([cost for cost in each["costs"].values() if cost > 0]) > 1]
    if not growths:
        return
    figure, axis = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for each in growths:
        points = [(int(size), cost) for size, cost in each["costs"].items() if cost > 0]
        first = points[0]
        axis.plot(
            [size / first[0] for size, _ in points], [cost / first[1] for _, cost in points],
            marker=".", label=f"{each['what']} ({each['exponent']:.2f})",
        )
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("so many times the smallest size")
    axis.set_ylabel("so many times its cost")
    axis.set_title("How cost grows (exponent)", loc="left", fontsize=9)
    axis.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    _save(figure, path)


def _save(figure, path):
    # No word of what drew it, or when.
    figure.savefig(path, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    pyplot.close(figure)


def main(folder):
    """Draws both."""
    seen = json.load(sys.stdin)
    peers(seen["rows"], f"{folder}/speed-peers.svg")
    growth(seen["growth"], f"{folder}/speed-growth.svg")


if __name__ == "__main__":
    main(*sys.argv[1:])
