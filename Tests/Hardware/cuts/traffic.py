"""What is asked of the daemon before a cut, what came of it for sure, and what must hold after it."""
import time
import uuid

LONG = 12 * 3600


class Wrong(Exception):
    """A promise that was not kept."""


class Alarm:
    """One alarm: what is sure of it, and what was asked and not answered, where both may be."""

    def __init__(self):
        self.sure = None  # a state, or None for an alarm that is not there
        self.asked = None
        self.is_open = False
        self.occurrences = set()

    def states(self):
        """What it may be."""
        return [self.sure] + ([self.asked] if self.is_open else [])


class State:
    """An alarm as it was last acknowledged."""

    def __init__(self, title, mode, due=None):
        self.title, self.mode, self.due = title, mode, due

    def but(self, **keys):
        """The same but for this."""
        return State(**{**self.__dict__, **keys})

    def fits(self, seen, now):
        """Whether an alarm that the daemon lists is this one."""
        if seen is None or seen["title"] != self.title:
            return False
        is_on = seen.get("enabled", True)
        match self.mode:
            case "counting" | "snoozed": return seen["state"] == "countdown"
            case "paused": return seen["state"] == "paused"
            case "daily": return seen["state"] == "scheduled" and is_on
            case "disabled": return not is_on
            case _:
                # The clocks inside and outside may differ by a little.
                if now > self.due + 2:
                    return seen["state"] == "alerting"
                return seen["state"] in ("alerting", "countdown", "scheduled")


class Traffic:
    """Random changes, a few at a time, and the books that are kept of them over all cuts."""

    at_a_time = 6
    most = 40

    def __init__(self, random):
        self.random = random
        self.alarms = {}
        self.waiting = {}
        self.acknowledged = self.refused = self.rang = 0
        self.number = 0

    # What is asked.

    def asks(self):
        """The next request, or None if enough is under way."""
        if len(self.waiting) >= self.at_a_time:
            return None
        idle = [key for key, alarm in self.alarms.items() if alarm.sure and not alarm.is_open]
        if len(idle) < 4 or (len(idle) < self.most and self.random.random() < 0.4):
            key, request, state = self._schedule()
        else:
            key, request, state = self._change(self.random.choice(idle))
        if request is None:
            return None
        self.number += 1
        name = str(self.number)
        alarm = self.alarms[key]
        alarm.asked, alarm.is_open = state, True
        self.waiting[name] = key
        return {**request, "id": name}

    def _schedule(self):
        key = str(uuid.UUID(int=self.random.getrandbits(128), version=4)).upper()
        self.alarms[key] = Alarm()
        title = f"Alarm {self.number}"
        alarm = {"id": key, "title": title}
        now = time.time()
        match self.random.choice(("long", "short", "moment", "daily")):
            case "long":
                alarm["countdown"] = {"preAlert": LONG, "postAlert": 300}
                state = State(title, "counting")
            case "short":
                length = self.random.uniform(0.05, 3)
                alarm["countdown"] = {"preAlert": length, "postAlert": 300}
                state = State(title, "due", now + length)
            case "moment":
                due = round(now + self.random.uniform(1, 4), 3)
                fixed = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(due)) + f".{int(due % 1 * 1000):03d}Z"
                alarm["schedule"] = {"fixed": fixed}
                state = State(title, "due", due)
            case _:
                clock = time.strftime("%H:%M", time.gmtime(now + 12 * 3600))
                days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
                alarm["schedule"] = {"time": clock, "repeats": days, "zone": "UTC"}
                state = State(title, "daily")
        return key, {"type": "schedule", "alarm": alarm}, state

    def _change(self, key):
        sure = self.alarms[key].sure
        do = {"alarm": key}
        match sure.mode:
            case "counting":
                kind = self.random.choice(("pause", "cancel", "stop"))
                return key, {"type": kind, **do}, sure.but(mode="paused") if kind == "pause" else None
            case "paused":
                kind = self.random.choice(("resume", "cancel"))
                return key, {"type": kind, **do}, sure.but(mode="counting") if kind == "resume" else None
            case "daily":
                kind = self.random.choice(("disable", "cancel"))
                return key, {"type": kind, **do}, sure.but(mode="disabled") if kind == "disable" else None
            case "disabled":
                return key, {"type": "enable", **do}, sure.but(mode="daily")
            case "snoozed":
                return key, {"type": "stop", **do}, None
            case "ringing":
                kind = self.random.choice(("stop", "stop", "snooze"))
                if kind == "stop":
                    return key, {"type": "stop", **do}, None
                return key, {"type": "snooze", "duration": LONG, **do}, sure.but(mode="snoozed")
            case _:
                return key, None, None  # it is to ring first

    # What comes back.

    def answered(self, line):
        """Takes an answer: what it acknowledges is sure from now on."""
        if line.get("type") not in ("ok", "error") or line.get("id") not in self.waiting:
            return
        alarm = self.alarms[self.waiting.pop(line["id"])]
        alarm.is_open = False
        if line["type"] == "ok":
            self.acknowledged += 1
            alarm.sure = alarm.asked
        else:
            # It may have come due meanwhile, so that what was asked no longer fits.
            self.refused += 1
            if line["code"] not in ("wrongState", "notFound", "past"):
                raise Wrong(f"refused: {line}")

    def told(self, line):
        """Takes an event."""
        alarm = self.alarms.get(line.get("alarm", "").upper())
        if alarm is None or line["type"] != "alert":
            return
        alarm.occurrences.add(line["occurrence"])
        if alarm.sure and alarm.sure.mode == "due":
            alarm.sure = alarm.sure.but(mode="ringing")
            self.rang += 1

    # What must hold.

    def cut(self):
        """The machine is off: what was not answered may have been done or not."""
        self.waiting = {}

    def check(self, listed, history, now):
        """Compares what is there after a cut with the books, and takes it over where both was right."""
        seen = {alarm["id"].upper(): alarm for alarm in listed}
        strangers = set(seen) - set(self.alarms)
        if strangers:
            raise Wrong(f"nobody set {strangers}")
        for key, alarm in list(self.alarms.items()):
            there = seen.get(key)
            fitting = [state for state in alarm.states()
                       if (state is None and there is None) or (state and state.fits(there, now))]
            if not fitting:
                wanted = [state and vars(state) for state in alarm.states()]
                raise Wrong(f"{key} is {there}, not {' nor '.join(map(str, wanted))}")
            alarm.sure, alarm.asked, alarm.is_open = fitting[-1], None, False
            if there and there["state"] == "alerting":
                alarm.sure = alarm.sure.but(mode="ringing")
                alarm.occurrences.add(there["occurrence"])
            if len(alarm.occurrences) > 1:
                raise Wrong(f"{key} rang as {alarm.occurrences}")
            if alarm.sure is None:
                del self.alarms[key]
        fired = [(entry["alarm"], entry["due"]) for entry in history if entry["event"] == "fired"]
        if len(set(fired)) != len(fired):
            raise Wrong(f"recorded twice: {[each for each in fired if fired.count(each) > 1][:3]}")
