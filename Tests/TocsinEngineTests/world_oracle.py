"""Random lives of alarms, and what must be told of them, by Python's zoneinfo.

    world_oracle.py SEED COUNT

An occurrence is presented when the wall clock passes its instant: dates are counted one by one.
"""

import datetime
import random
import sys
import zoneinfo

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_DAY = EPOCH.toordinal()
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
FIRST, LAST = -50 * 365 * DAY, 7_000 * 365 * DAY
NAMES = sorted(
    name
    for name in zoneinfo.available_timezones()
    if not name.startswith(("posix/", "right/")) and name not in ("localtime", "Factory", "posixrules")
)


def local(zone, moment):
    """The civil time a zone's clocks show, as a naive datetime."""
    aware = EPOCH.replace(tzinfo=UTC) + datetime.timedelta(milliseconds=moment)
    return aware.astimezone(zone).replace(tzinfo=None)


def today(zone, moment):
    return local(zone, moment).toordinal() - EPOCH_DAY


def instant(zone, day, second):
    """When the clocks show that time: the first pass, or as before the gap."""
    naive = EPOCH + datetime.timedelta(days=day, seconds=second)
    offset = naive.replace(tzinfo=zone, fold=0).utcoffset()
    return day * DAY + second * SECOND - round(offset.total_seconds() * SECOND)


class Alarm:
    def __init__(self, kind, value, second, zone, ring, tries):
        self.kind, self.value, self.second, self.zone = kind, value, second, zone
        self.ring, self.tries = ring, tries
        self.rung = None  # the date of the last ring, and the hour in which that was
        self.over = False  # nothing comes of the schedule any more
        self.phase = None  # None, "rings" or "waits"
        self.end = self.due = self.origin = self.tried = None
        self.has_rung = False

    def named(self, day):
        if self.rung is not None and day <= self.rung[0]:
            return False
        if self.kind == "W":
            return bool(self.value >> ((day + 3) % 7) & 1)
        return self.kind == "O" or day == self.value


class World:
    def __init__(self, start, zone, grace):
        self.wall, self.boot, self.zone, self.grace = start, 0, zone, grace
        self.files = {}
        self.alarms, self.told = [], []

    def rules(self, name):
        return zoneinfo.ZoneInfo(self.files.get(name, name))

    def of(self, alarm):
        return self.rules(alarm.zone or self.zone)

    def tell(self, alarm, what, due, late):
        self.told.append((self.alarms.index(alarm), what, due, self.wall, late))

    def passed(self, alarm, start, end, forward=True):
        """The occurrences whose instants the clock passes: all, or only the last one."""
        if alarm.over or alarm.kind == "T":
            return []
        if alarm.kind == "F":
            return [(alarm.value, None)] if start < alarm.value <= end else []
        zone = self.of(alarm)
        days = range(today(zone, start) - 3, today(zone, end) + 4)
        found, first = {}, None
        for day in days if forward else reversed(days):
            if alarm.named(day):
                at = instant(zone, day, alarm.second)
                if start < at <= end:
                    # Where a day is left out, two dates come at one instant.
                    found[at] = max(day, found.get(at, day))
                    first = day if first is None else first
            # A change of offset moves no occurrence past one that is days away.
            if first is not None and (not forward or alarm.kind == "O") and abs(day - first) > 3:
                break
        return sorted(found.items())

    # What becomes of one alarm at this moment

    def starts(self, alarm, due, late):
        alarm.phase, alarm.due, alarm.has_rung = "rings", due, True
        alarm.end = self.boot + alarm.ring if alarm.ring else None
        self.tell(alarm, "alert", due, late)

    def ends(self, alarm):
        alarm.phase = None

    def comes(self, alarm, at, day):
        late = self.wall - at
        alarm.over = alarm.kind != "W"
        self.ends(alarm)
        if late > self.grace:
            self.tell(alarm, "late", at, late)
            return
        alarm.rung, alarm.origin, alarm.tried = (day, self.wall // HOUR), at, 0
        self.starts(alarm, at, late)

    def settle(self, alarm):
        """What should have ended by now has, the later after the earlier."""
        while alarm.phase and alarm.end is not None and alarm.end <= self.boot:
            late = self.boot - alarm.end
            if alarm.phase == "waits":
                if late > self.grace:
                    self.tell(alarm, "late", alarm.due, late)
                    self.ends(alarm)
                else:
                    self.starts(alarm, alarm.due, late)
            elif alarm.kind == "T":
                self.ends(alarm)
            elif alarm.tried < alarm.tries:
                alarm.tried += 1
                self.waits(alarm, 9 * MINUTE - late)
            else:
                self.tell(alarm, "unanswered", alarm.origin, 0)
                self.ends(alarm)

    def waits(self, alarm, length):
        alarm.phase, alarm.end = "waits", self.boot + length
        alarm.due = self.wall + length

    # What happens to the machine

    def go(self, length):
        self.wall += length
        self.boot += length

    def wait(self, length):
        wall, boot = self.wall, self.boot
        for alarm in self.alarms:
            queue = self.passed(alarm, wall, wall + length)
            if alarm.kind == "O":
                queue = queue[:1]
            self.wall, self.boot = wall, boot
            while True:
                ends = [wall + length]
                if queue:
                    ends.append(queue[0][0])
                if alarm.phase and alarm.end is not None:
                    ends.append(wall + alarm.end - boot)
                at = min(ends)
                self.go(at - self.wall)
                self.settle(alarm)
                if queue and queue[0][0] == at:
                    self.comes(alarm, *queue.pop(0))
                elif at == wall + length:
                    break
        self.wall, self.boot = wall + length, boot + length

    def jumped(self, alarm, start):
        """Only the last that was passed over counts; of one that comes once, the first."""
        found = self.passed(alarm, start, self.wall, forward=alarm.kind == "O")
        if found:
            self.comes(alarm, *found[0 if alarm.kind == "O" else -1])

    def suspend(self, length):
        start = self.wall
        self.go(length)
        for alarm in self.alarms:
            self.settle(alarm)
            self.jumped(alarm, start)
            self.settle(alarm)

    def down(self, length):
        start = self.wall
        self.go(length)
        for alarm in self.alarms:
            if alarm.phase == "rings" and alarm.end is not None and alarm.end <= self.boot:
                if self.boot - alarm.end > self.grace:
                    self.tell(alarm, "late", alarm.due, 0)
                    self.ends(alarm)
                else:
                    alarm.end = self.boot + alarm.ring
            self.settle(alarm)
            self.jumped(alarm, start)
            self.settle(alarm)

    def step(self, length):
        start = self.wall
        self.wall += length
        for alarm in self.alarms:
            if alarm.phase == "waits":
                alarm.due += length
            if length < 0 and alarm.rung is not None and alarm.kind == "W":
                # What rang more than a day ahead of now rang on a clock that was wrong.
                if alarm.rung[1] > self.wall // HOUR + 24:
                    alarm.rung = None
            if length > 0:
                self.jumped(alarm, start)

    def move(self, change):
        before = [
            instant(self.of(alarm), alarm.value, alarm.second) if alarm.kind == "D" else None
            for alarm in self.alarms
        ]
        change()
        for alarm, due in zip(self.alarms, before):
            if due is None or alarm.over:
                continue
            if instant(self.of(alarm), alarm.value, alarm.second) <= self.wall:
                alarm.over = True
                self.tell(alarm, "zone", due, 0)

    def snooze(self, alarm, length):
        if alarm.phase == "rings":
            alarm.tried = 0
            self.waits(alarm, length or (alarm.value if alarm.kind == "T" else 9 * MINUTE))


def near_change(random, zone, start):
    """A day or two before the zone's next change of offset, and the local second of the change."""
    before = local(zone, start) - (EPOCH + datetime.timedelta(milliseconds=start))
    for day in range(1, 370):
        at = start + day * DAY
        if local(zone, at) - (EPOCH + datetime.timedelta(milliseconds=at)) != before:
            low, high = at - DAY, at
            while high - low > SECOND:
                middle = (low + high) // 2 // SECOND * SECOND
                if local(zone, middle) - (EPOCH + datetime.timedelta(milliseconds=middle)) == before:
                    low = middle
                else:
                    high = middle
            shown = local(zone, low + SECOND)
            second = shown.hour * 3600 + shown.minute * 60 + shown.second
            return high - random.randrange(1, 60 * HOUR // SECOND) * SECOND, second
    return start, None


def length(random, limit):
    limit = random.choice((15 * MINUTE, 2 * HOUR, limit, limit))
    return random.randrange(1, limit)


def live(seed, out):
    dice = random.Random(seed)
    name = dice.choice(NAMES)
    year = dice.choice((dice.randrange(1970, 2038), dice.randrange(1970, 2038), dice.randrange(1930, 2500)))
    if dice.random() < 0.03:
        year = dice.choice((1970, 2000, 2038, 2100, 4000, 8000))
    start = (datetime.date(year, 1, 1).toordinal() - EPOCH_DAY) * DAY
    start += dice.randrange(365 * DAY // SECOND) * SECOND
    changing = None
    if dice.random() < 0.7:
        start, changing = near_change(dice, zoneinfo.ZoneInfo(name), start)
    elif dice.random() < 0.3:
        start = (datetime.date(year, 2, 27).toordinal() - EPOCH_DAY) * DAY
    grace = dice.choice((0, 15, 30, 30, 120)) * MINUTE
    world = World(start, name, grace)
    out.append(f"S {seed} {start} {grace} {name}")
    for index in range(dice.randrange(1, 4)):
        second = dice.randrange(86_400)
        if changing is not None and dice.random() < 0.7:
            second = (changing + dice.randrange(-5400, 5400)) % 86_400
        own = dice.choice(NAMES) if dice.random() < 0.2 else None
        kind = dice.choice("WWWWODFT")
        value = 0
        zone = zoneinfo.ZoneInfo(own or name)
        if kind == "D":
            value = today(zone, start) + dice.randrange(1, 5)
            naive = EPOCH + datetime.timedelta(days=value, seconds=second)
            if local(zone, instant(zone, value, second)) != naive:
                kind = "W"
            elif instant(zone, value, second) <= start:
                kind = "W"
        if kind == "W":
            value = dice.choice((127, 127, 31, dice.randrange(1, 128)))
        elif kind == "F":
            value = start + dice.randrange(1, 4 * DAY)
        elif kind == "T":
            value = dice.randrange(1, dice.choice((HOUR, 2 * DAY)))
        ring = dice.choice((0, MINUTE, 10 * MINUTE, 10 * MINUTE, 25 * HOUR))
        tries = dice.choice((0, 1, 3, 3))
        alarm = Alarm(kind, value, second, own, ring, tries)
        world.alarms.append(alarm)
        if kind == "T":
            world.waits(alarm, value)
        out.append(f"A {ord(kind)} {value} {second} {ring} {tries} {own or '-'}")
    for _ in range(dice.randrange(5, 30)):
        what = dice.choice("wwwwwsdtzrxxyy")
        if what == "w":
            span = length(dice, 40 * HOUR)
            world.wait(span)
            out.append(f"w {span}")
        elif what in "sd":
            span = length(dice, 60 * HOUR)
            if dice.random() < 0.03:
                span = dice.randrange(3000 * DAY)
            (world.suspend if what == "s" else world.down)(span)
            out.append(f"{what} {span}")
        elif what == "t":
            limit = dice.choice((2 * SECOND, 2 * HOUR, 30 * HOUR, 10 * DAY, 60 * 365 * DAY))
            span = dice.randrange(1, limit) * dice.choice((-1, 1))
            if dice.random() < 0.2:
                span = dice.choice((-1, 1)) * HOUR
            if not FIRST < world.wall + span < LAST:
                continue
            world.step(span)
            out.append(f"t {span}")
        elif what == "z":
            other = dice.choice(NAMES)

            def change():
                world.zone = other

            world.move(change)
            out.append(f"z {other}")
        elif what == "r":
            changed = world.zone
            if dice.random() < 0.5:
                changed = dice.choice(world.alarms).zone or changed
            other = dice.choice(NAMES)

            def change():
                world.files[changed] = other

            world.move(change)
            out.append(f"r {other}")
            out.append(f"n {changed}")
        else:
            index = dice.randrange(len(world.alarms))
            if what == "x":
                world.ends(world.alarms[index])
                out.append(f"x {index}")
            else:
                span = dice.choice((0, length(dice, 30 * HOUR)))
                world.snooze(world.alarms[index], span)
                out.append(f"y {index} {span}")
    for index, what, due, at, late in world.told:
        out.append(f"E {index} {due} {at} {what}")
    out.append("Z 0")


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    out = []
    for number in range(seed, seed + count):
        live(number, out)
    sys.stdout.write("\n".join(out) + "\n")


main()
