"""The table of what was measured, as text, as JSON, and in docs/measurements.md."""
import dataclasses
import json
import statistics

BEGIN = "<!-- table begins: written by contrib/bench/run --write -->"
END = "<!-- table ends -->"


@dataclasses.dataclass
class Row:
    """One figure. `limit` is the most it should be, as `ours` or as `ratio` where a floor is given."""

    what: str
    ours: float
    unit: str
    floor: float | None = None
    limit: float | None = None
    busy: float = 0.0
    note: str = ""

    @property
    def ratio(self):
        """How often the floor goes into ours."""
        if not self.floor:
            return None
        return self.ours / self.floor

    @property
    def verdict(self):
        """Whether it is what it should be; an empty text where nothing was asked."""
        judged = self.ours if self.floor is None else self.ratio
        if self.limit is None:
            return ""
        return "reached" if judged <= self.limit else "missed"

    def amount(self, value):
        """A value with the unit."""
        return f"{number(value)} {self.unit}".rstrip()

    def cells(self):
        """The columns of the printed table."""
        limit = "" if self.limit is None else self.amount(self.limit)
        if self.floor is not None:
            floor = f"floor {self.amount(self.floor)}"
            limit = floor if self.limit is None else f"{floor}, at most {number(self.limit)}x"
        elif limit:
            limit = f"at most {limit}"
        return [
            self.what,
            self.amount(self.ours),
            limit,
            "" if self.ratio is None else f"{self.ratio:.2f}",
            self.verdict,
            f"{self.busy * 100:.0f} %",
        ]


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
HEADINGS = ["what", "ours", "floor or limit", "ratio", "verdict", "machine busy"]


def markdown(rows, about):
    """The table for a document, and for a terminal."""
    cells = [HEADINGS] + [row.cells() for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    cells.insert(1, ["-" * width for width in widths])
    lines = [
        "| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |"
        for line in cells
    ]
    notes = [f"- {row.what}: {row.note}" for row in rows if row.note]
    return "\n".join([about, "", *lines, *([""] if notes else []), *notes])


def as_json(rows, about):
    """Everything, for other programs."""
    return json.dumps(
        {
            "schema": 1,
            **about,
            "rows": [
                {**dataclasses.asdict(row), "ratio": row.ratio, "verdict": row.verdict}
                for row in rows
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
