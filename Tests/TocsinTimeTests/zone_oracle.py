"""Prints what Python's zoneinfo says about every zone, for ZoneProofTests to compare with.

It knows nothing of the Swift code: transitions are found by scanning and bisecting, and the rule
for occurrences is written down anew, from PEP 495 (fold=0 reads a gap with the offset before it
and takes the first pass of a fold).

  Z name ...                                      names whose files are the same bytes
  R start end offset isdst abbreviation           a span of time, and what holds at its start
  T second offset isdst abbreviation              a transition within the span, and what follows
  N weekdays clock after  date second from to  date second
     the next occurrence after an instant, and the last one of the 8 days up to it (0 0 if none);
     weekdays is a bit set from Monday, from and to are the offsets for fold=0 and fold=1
"""

import datetime
import hashlib
import pathlib
import sys
import zoneinfo

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_DAY = EPOCH.toordinal()
DAY = 86400
# Shorter than any two changes that follow each other; one overlooked would fail the comparison.
STEP = 5 * DAY


def year(number):
    return int(datetime.datetime(number, 1, 1, tzinfo=UTC).timestamp())


SPANS = [(year(1970), year(2100)), (year(2398), year(2402)), (year(9000), year(9002))]
CHECKED = (year(2024), year(2041))


def state(zone, second):
    moment = datetime.datetime.fromtimestamp(second, zone)
    offset = moment.utcoffset()
    return (offset.days * DAY + offset.seconds, int(bool(moment.dst())), moment.tzname())


def transitions(zone, start, end):
    before, second = state(zone, start), start
    while second < end:
        ahead = min(second + STEP, end)
        after = state(zone, ahead)
        if after != before:
            low, high = second, ahead
            while high - low > 1:
                middle = (low + high) // 2
                if state(zone, middle) == before:
                    low = middle
                else:
                    high = middle
            after = state(zone, high)
            if high < end:
                yield high, before, after
            before, second = after, high
        else:
            second = ahead


def instant(zone, day, clock):
    naive = EPOCH + datetime.timedelta(days=day, seconds=clock)
    first = naive.replace(tzinfo=zone, fold=0)
    offsets = [
        offset.days * DAY + offset.seconds
        for offset in (first.utcoffset(), first.replace(fold=1).utcoffset())
    ]
    return day * DAY + clock - offsets[0], offsets


def occurrences(zone, weekdays, clock, after):
    today = datetime.datetime.fromtimestamp(after, zone).toordinal() - EPOCH_DAY
    latest = (0, 0)
    # From 9 days back, which reaches past a weekly one moved by a day, to 9 days ahead.
    for day in range(today - 9, today + 10):
        if not weekdays >> ((day + 3) % 7) & 1:
            continue
        second, offsets = instant(zone, day, clock)
        if second > after:
            return (day, second, *offsets, *latest)
        if second > after - 8 * DAY:
            latest = (day, second)
    raise AssertionError("no occurrence within nine days")


def main():
    groups = {}
    for name in sorted(zoneinfo.available_timezones()):
        path = pathlib.Path(zoneinfo.TZPATH[0], name)
        groups.setdefault(hashlib.sha256(path.read_bytes()).digest(), []).append(name)
    out = []
    for names in groups.values():
        out.append("Z " + " ".join(names))
        zone = zoneinfo.ZoneInfo(names[0])
        asked = set()
        for start, end in SPANS:
            out.append("R %d %d %d %d %s" % (start, end, *state(zone, start)))
            for second, before, after in transitions(zone, start, end):
                out.append("T %d %d %d %s" % (second, *after))
                if CHECKED[0] <= second < CHECKED[1] and before[0] != after[0]:
                    asked.add((second, before[0], after[0]))
        for second, before, after in sorted(asked):
            low, high = second + min(before, after), second + max(before, after)
            weekday = 1 << ((low // DAY + 3) % 7)
            for local in (low - 60, low, (low + high) // 2, high):
                for moment in (second - DAY, second - 1, second, second + (high - low) // 2):
                    for weekdays in (127, weekday):
                        clock = local % DAY
                        found = occurrences(zone, weekdays, clock, moment)
                        numbers = (weekdays, clock, moment, *found)
                        out.append("N " + " ".join(map(str, numbers)))
    sys.stdout.write("\n".join(out) + "\n")


main()
