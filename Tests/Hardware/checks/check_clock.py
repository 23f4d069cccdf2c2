"""The machine's own clock, set under the daemon: forward, back, by years, and while something rings."""
import time

from cards import Ear
from clocks import ONE_HOUR, LocalTime, NoBatteryClock, Synchronisation, WallClock, rfc3339
from report import check, expect, wait_for
from sections import CONSOLE, speaker
from service import Daemon, identity

DAY = 24 * ONE_HOUR
EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def started(**keys):
    """A daemon with a loudspeaker, a subscriber, the ear at the loudspeaker, and the wall clock."""
    clock, ear = WallClock(), Ear("Bedside")
    daemon = Daemon(speaker=speaker(), **keys).start()
    return clock, ear, daemon, daemon.subscribe()


def fixed(daemon, seconds, title="Fixed"):
    """An alarm for a moment."""
    alarm = {"id": identity(), "title": title, "schedule": {"fixed": rfc3339(seconds)}}
    daemon.ask("schedule", alarm=alarm)
    return alarm["id"]


def daily(daemon, seconds, **keys):
    """An alarm for every day, at the minute (UTC) that follows a moment; its alarm and the moment."""
    due = (int(seconds) // 60 + 1) * 60
    clock = time.strftime("%H:%M", time.gmtime(due))
    schedule = {"time": clock, "repeats": EVERY_DAY, "zone": "UTC", **keys}
    alarm = {"id": identity(), "title": "Daily", "schedule": schedule}
    daemon.ask("schedule", alarm=alarm)
    return alarm["id"], due


def count(daemon, alarm, *events):
    """How often these have happened to an alarm."""
    return sum(entry["event"] in events for entry in daemon.history(alarm=alarm))


def expect_quiet(ear, daemon, alarm, seconds=0.7):
    """Expects that nothing sounds for a while and that the alarm does not ring."""
    heard = [window for window in ear.record(seconds) if window.level > ear.silence]
    expect(not heard, f"{len(heard)} windows of sound")
    found = [line["alarm"]["state"] for line in daemon.ask("list")[:-1] if line["alarm"]["id"] == alarm]
    expect("alerting" not in found, "it rings")


@check("the clock is set forward over an alarm, within the grace: it rings late, and once")
def forward_within():
    clock, ear, daemon, events = started()
    alarm = fixed(daemon, clock.right() + 600)
    stamp = time.monotonic_ns()
    clock.step(1200)
    alert = events.event("alert", alarm=alarm)
    began = ear.wait_loud(stamp)
    expect(599 < alert["late"] < 610, f"it is not called late: {alert}")
    daemon.ask("stop", alarm=alarm)
    events.event("cleared", alarm=alarm, reason="stopped")
    ear.wait_quiet(time.monotonic_ns())
    clock.step(-1200)
    clock.step(1200)
    expect_quiet(ear, daemon, alarm)
    expect(count(daemon, alarm, "fired") == 1, f"{daemon.history(alarm=alarm)}")
    return f"{(began - stamp) / 1e6:.0f} ms after the step"


@check("the clock is set forward over an alarm, beyond the grace: one notice that it was missed, and silence")
def forward_beyond():
    clock, ear, daemon, events = started()
    alarm = fixed(daemon, clock.right() + 600)
    clock.step(2 * ONE_HOUR)
    events.event("missed", alarm=alarm, reason="late")
    clock.step(ONE_HOUR)
    expect_quiet(ear, daemon, alarm)
    expect(count(daemon, alarm, "missed") == 1, f"{daemon.history(alarm=alarm)}")
    expect(count(daemon, alarm, "fired") == 0, f"{daemon.history(alarm=alarm)}")


@check("the clock is set back over an alarm that rang: it does not ring twice that day, but the next")
def back():
    clock, ear, daemon, events = started()
    Synchronisation().set(True)
    alarm, due = daily(daemon, clock.right())
    clock.set(due - 0.3)
    Synchronisation().set(True)
    events.event("alert", alarm=alarm)
    daemon.ask("stop", alarm=alarm)
    ear.wait_quiet(time.monotonic_ns())
    for _ in range(3):
        clock.set(due - 0.2)
        expect_quiet(ear, daemon, alarm)
    following = daemon.ask("show", alarm=alarm)[0]["alarm"]["next"]
    expect(following == rfc3339(due + DAY), f"it is to ring next at {following}")
    clock.set(due + DAY - 0.2)
    events.event("alert", alarm=alarm)
    expect(count(daemon, alarm, "fired") == 2, f"{daemon.history(alarm=alarm)}")


@check("the clock is set by years, to 2041, to 2003 and back: one notice, and the next day's alarm rings")
def years():
    clock, ear, daemon, events = started()
    Synchronisation().set(True)
    alarm, due = daily(daemon, clock.right() + ONE_HOUR)
    clock.set(due + 15 * 365 * DAY + 2 * ONE_HOUR)
    events.event("missed", alarm=alarm)
    expect_quiet(ear, daemon, alarm)
    expect(count(daemon, alarm, "missed") == 1, f"{daemon.history(alarm=alarm)}")
    clock.set(due - 24 * 365 * DAY)
    following = daemon.ask("show", alarm=alarm)[0]["alarm"]["next"]
    clock.set(due - 0.3)
    events.event("alert", alarm=alarm)
    ear.wait_loud(time.monotonic_ns())
    daemon.ask("stop", alarm=alarm)
    expect(count(daemon, alarm, "fired") == 1, f"{daemon.history(alarm=alarm)}")
    return f"in the past it was to ring at {following}"


@check("the clock is set while it rings, both ways: it goes on, once, and a stop silences it")
def while_ringing():
    clock, ear, daemon, events = started()
    alarm = daemon.ring()
    events.event("alert", alarm=alarm)
    ear.wait_loud(time.monotonic_ns())
    other = fixed(daemon, clock.right() + 0.5)
    events.event("alert", alarm=other)
    daemon.presented(other, by="speaker")
    ear.record(0.5)
    for seconds in (ONE_HOUR, -2 * ONE_HOUR, 9 * ONE_HOUR, 3650 * DAY, -3650 * DAY - 8 * ONE_HOUR):
        clock.step(seconds)
        quiet = [window for window in ear.record(0.3) if window.level < ear.silence]
        expect(not quiet, f"{len(quiet)} silent windows after a step of {seconds} s")
    states = {line["alarm"]["id"]: line["alarm"]["state"] for line in daemon.ask("list")[:-1]}
    expect(states == {alarm: "alerting", other: "alerting"}, f"{states}")
    for each in (alarm, other):
        daemon.ask("stop", alarm=each)
        expect(count(daemon, each, "fired") == 1, f"{daemon.history(alarm=each)}")
    ear.wait_quiet(time.monotonic_ns())


@check("the clock is set during a snooze and a countdown: both end after the time that passed")
def while_counting():
    clock, _, daemon, events = started()
    snoozed = daemon.ring(title="Snoozed")
    events.event("alert", alarm=snoozed)
    start = time.monotonic()
    daemon.ask("snooze", alarm=snoozed, duration=3)
    counting = daemon.ring(after=3, title="Counting")
    for seconds in (ONE_HOUR, -3 * ONE_HOUR, 2000 * DAY, -1000 * DAY):
        clock.step(seconds)
        time.sleep(0.3)
    took = {}
    while len(took) < 2:
        alert = events.event("alert")
        took[alert["alarm"]] = time.monotonic() - start
    for alarm in (snoozed, counting):
        expect(2.99 < took[alarm] < 3.4, f"after {took[alarm]:.2f} s instead of 3 s")
        expect(daemon.ask("show", alarm=alarm)[0]["alarm"]["state"] == "alerting", "it does not ring")
    return ", ".join(f"{seconds:.2f} s" for seconds in took.values())


@check("without a battery clock, before the clock is synchronised: alarms wait for it, timers do not")
def boot():
    clock, ear = WallClock(), Ear("Bedside")
    right = clock.right()
    synchronisation = Synchronisation()
    NoBatteryClock()
    synchronisation.set(False)
    daemon = Daemon(speaker=speaker(), settings="clock-wait = 1d").start()
    wanted, _ = daily(daemon, right + 5 * ONE_HOUR)
    due = fixed(daemon, right + 600, "Due")
    daemon.terminate()
    clock.set(1_000_000_000)
    daemon.start()
    events = daemon.subscribe()
    wait_for("that is said", lambda: "clock" in str(daemon.ask("status")[-1]["status"]))
    fixed_then = fixed(daemon, time.time() + 0.5, "On the wrong clock")
    timer = daemon.ring(after=1)
    events.event("alert", alarm=timer)
    daemon.ask("stop", alarm=timer)
    ear.wait_quiet(time.monotonic_ns())
    expect_quiet(ear, daemon, fixed_then)
    # As an NTP client does it: the step, and then the word that the clock is right.
    clock.set(right + 660)
    synchronisation.set(True)
    alert = events.event("alert", alarm=due)
    expect(59 < alert["late"] < 70, f"{alert}")
    expect(count(daemon, due, "fired") == 1, f"{daemon.history(alarm=due)}")
    expect(count(daemon, wanted, "fired", "missed") == 0, f"{daemon.history(alarm=wanted)}")
    wait_for("it trusts the clock", lambda: "synchronised" not in str(daemon.ask("status")[-1]["status"]))


@check("the zone is switched under the daemon: local times move with it, and none rings for that")
def zone():
    local = LocalTime("Europe/Berlin")
    ear = Ear("Bedside")
    daemon = Daemon(speaker=speaker(), console=CONSOLE)
    daemon.environment["TZ"] = None
    daemon.start()
    berlin = time.time() + 3 * ONE_HOUR
    minutes = time.strftime("%H:%M", time.gmtime(berlin + ONE_HOUR))
    alarm = {"id": identity(), "title": "Local", "schedule": {"time": minutes, "repeats": EVERY_DAY}}
    daemon.ask("schedule", alarm=alarm)

    def next_of():
        return daemon.ask("show", alarm=alarm["id"])[0]["alarm"]["next"]

    before = next_of()
    local.switch("Asia/Kolkata")
    wait_for("it moves", lambda: next_of() != before)
    expect(next_of()[14:16] != before[14:16], f"{before} became {next_of()}: not by half an hour")
    for name in ("Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago"):
        seen = next_of()
        local.switch(name)
        wait_for(f"it moves to {name}", lambda seen=seen: next_of() != seen)
    local.switch("Europe/Berlin")
    wait_for("it is where it was", lambda: next_of() == before)
    expect_quiet(ear, daemon, alarm["id"])
    expect(count(daemon, alarm["id"], "fired", "missed") == 0, f"{daemon.history(alarm=alarm['id'])}")
    return before
