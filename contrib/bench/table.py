"""The tables of what was measured, as text, as JSON, and in docs/measurements.md."""
import dataclasses
import json
import math
import statistics

BEGIN = "<!-- table begins: written by contrib/bench/run --write -->"
END = "<!-- table ends -->"


@dataclasses.dataclass
class Row:
    """One figure. `limit` is the most that it should be, or `times` that many floors.

    `peers` are the same figure of other programs, by their names. Where more is better, `least` says so,
    and the limits are the least that it should be.
    """

    what: str
    ours: float
    unit: str
    floor: float | None = None
    limit: float | None = None
    times: float | None = None
    busy: float = 0.0
    note: str = ""
    peers: dict[str, float] = dataclasses.field(default_factory=dict)
    least: bool = False

    @property
    def ratio(self):
        """How often the floor goes into ours."""
        if not self.floor:
            return None
        return self.ours / self.floor

    @property
    def verdict(self):
        """Whether it is what it should be; an empty text where nothing was asked."""
        judged = [(self.ours, self.limit), (self.ratio, self.times)]
        judged = [pair for pair in judged if None not in pair]
        if not judged:
            return ""
        reached = all(seen >= limit if self.least else seen <= limit for seen, limit in judged)
        return "reached" if reached else "missed"

    def amount(self, value):
        """A value with the unit."""
        return f"{number(value)} {self.unit}".rstrip()

    def cells(self):
        """The columns of the printed table."""
        bound = "at least" if self.least else "at most"
        limits = []
        if self.floor is not None:
            limits.append(f"floor {self.amount(self.floor)}")
        if self.times is not None:
            limits.append(f"{bound} {number(self.times)}x")
        if self.limit is not None:
            limits.append(f"{bound} {self.amount(self.limit)}")
        return [
            self.what,
            self.amount(self.ours),
            ", ".join(limits),
            "" if self.ratio is None else f"{self.ratio:.2f}",
            ", ".join(f"{name} {self.amount(value)}" for name, value in self.peers.items()),
            self.verdict,
            f"{self.busy * 100:.0f} %",
        ]


@dataclasses.dataclass
class Growth:
    """The same figure at several sizes, each with the cost of the whole, and how that grows."""

    what: str
    unit: str
    of: str
    costs: dict[int, float]
    busy: float = 0.0

    @property
    def exponent(self):
        """The slope of the best straight line through the logarithms: 1 is as the size itself, 0 not at all."""
        points = [(math.log(size), math.log(cost)) for size, cost in self.costs.items() if cost > 0]
        if len(points) < 2:
            return None
        middle = [statistics.mean(axis) for axis in zip(*points)]
        spread = sum((x - middle[0]) ** 2 for x, _ in points)
        return sum((x - middle[0]) * (y - middle[1]) for x, y in points) / spread

    def cells(self):
        """The columns of the printed table."""
        sizes = ", ".join(f"{size:,}: {number(cost)}" for size, cost in self.costs.items())
        exponent = "" if self.exponent is None else f"{self.exponent:.2f}"
        return [self.what, self.of, self.unit, sizes, exponent, f"{self.busy * 100:.0f} %"]


def number(value):
    """Three digits that count."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def quantile(values, share):
    """The value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


median = statistics.median
HEADINGS = ["what", "ours", "floor or limit", "ratio", "peers", "verdict", "machine busy"]
GROWTH_HEADINGS = ["what", "sizes are", "unit", "at each size", "exponent", "machine busy"]


def markdown(seen, about):
    """The tables for a document, and for a terminal."""
    rows = [each for each in seen if isinstance(each, Row)]
    growths = [each for each in seen if isinstance(each, Growth)]
    notes = [f"- {row.what}: {row.note}" for row in rows if row.note]
    blocks = [about]
    if rows:
        blocks.append(_aligned([HEADINGS] + [row.cells() for row in rows]))
    if growths:
        blocks.append("How cost grows; an exponent of 1 is as the size itself.")
        blocks.append(_aligned([GROWTH_HEADINGS] + [growth.cells() for growth in growths]))
    if notes:
        blocks.append("\n".join(notes))
    return "\n\n".join(blocks)


def _aligned(cells):
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |"
        for line in cells
    )


def as_json(seen, about):
    """Everything, for other programs."""
    return json.dumps(
        {
            "schema": 2,
            **about,
            "rows": [
                {**dataclasses.asdict(row), "ratio": row.ratio, "verdict": row.verdict}
                for row in seen if isinstance(row, Row)
            ],
            "growth": [
                {**dataclasses.asdict(growth), "exponent": growth.exponent}
                for growth in seen if isinstance(growth, Growth)
            ],
        },
        indent=1,
    )


def write(path, text):
    """Puts the table between its two marks."""
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    head, begin, rest = whole.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} lacks the lines {BEGIN} and {END}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}")
