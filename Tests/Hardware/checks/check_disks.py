"""A store on a disk that is full, takes no writes, or fails: what was accepted rings, what is not is refused."""
import time

from cards import Ear
from disks import Disk
from report import check, expect, milliseconds, wait_for
from sections import speaker
from service import Daemon, identity

QUIET = 0.1


class Place:
    """A daemon whose store is on a disk, a loudspeaker, and the ear at it."""

    def __init__(self, kind="ext4"):
        self.disk = Disk(kind)
        self.ear = Ear("Bedside")
        self.daemon = Daemon(speaker=speaker(), folder=self.disk.store).start()

    def schedule(self, title="Later", seconds=3600):
        """Sets a timer: its identity, and the answer's last line."""
        alarm = {"id": identity(), "title": title, "countdown": {"preAlert": seconds, "postAlert": 300}}
        connection = self.daemon.connect()
        answer = connection.try_to_ask("schedule", alarm=alarm)[-1]
        connection.close()
        return alarm["id"], answer

    def schedule_until_refused(self):
        """Sets timers until the disk takes no more: those accepted, and the refused one."""
        accepted = []
        for _ in range(4000):
            alarm, answer = self.schedule("x" * 400)
            if answer["type"] == "error":
                expect(answer["code"] == "storage", f"{answer}")
                return accepted, alarm
            accepted.append(alarm)
        raise AssertionError("the disk took everything")

    def heard(self, alarm):
        """Waits until an alarm rings and is heard."""
        # From memory: what is on the disk tells less, if anything.
        def confirmed():
            alarms = [line["alarm"] for line in self.daemon.ask("list")[:-1] if line["alarm"]["id"] == alarm]
            return [receipt for shown in alarms for receipt in shown.get("receipts", [])
                    if receipt["sink"] == "speaker" and receipt["result"] == "presented"]
        wait_for("the loudspeaker confirms it", confirmed)
        wait_for("it is heard", self.ear.is_loud)

    def stop(self, alarm):
        """Stops it: the answer's last line, and how long it sounded on."""
        connection = self.daemon.connect()
        stamp = time.monotonic_ns()
        answer = connection.try_to_ask("stop", alarm=alarm)[-1]
        quiet = (self.ear.wait_quiet(stamp) - stamp) / 1e9
        expect(quiet < QUIET, f"it sounded for {milliseconds(quiet)} more")
        connection.close()
        return answer, quiet

    def states(self):
        """The state of each alarm."""
        return {line["alarm"]["id"]: line["alarm"]["state"] for line in self.daemon.ask("list")[:-1]}

    def stored(self):
        """Waits until nothing is left to be stored."""
        wait_for("all is stored", lambda: self.schedule()[1]["type"] == "ok", limit=90, every=0.2)

    def again(self, kill=True, between=lambda: None):
        """Ends the daemon, as a crash does or in order, and starts it again after what is between."""
        if kill:
            self.daemon.kill()
        else:
            self.daemon.terminate()
        wait_for("the plugins end", lambda: not self.daemon.processes())
        between()
        self.daemon.start()


def disks():
    """File systems that are full in different ways."""
    return ["ext4", "tmpfs"]


@check("a full disk: refused is refused, accepted rings, a stop is silence, and there is recovery", disks)
def full(kind):
    place = Place(kind)
    soon, _ = place.schedule("Soon", 4)
    place.disk.fill()
    accepted, refused = place.schedule_until_refused()
    place.heard(soon)
    answer, quiet = place.stop(soon)
    expect(answer["type"] == "ok" or answer["code"] == "storage", f"{answer}")
    expect(refused not in place.states(), "what was refused is listed")
    expect(soon not in place.states(), "what was stopped is listed")
    place.disk.empty()
    place.stored()
    for kill in (True, False):
        place.again(kill)
        lost = set(accepted) - set(place.states())
        expect(not lost, f"{len(lost)} of {len(accepted)} are lost")
        expect(refused not in place.states(), "what was refused is there")
        expect(soon not in place.states(), "what was stopped is there again")
    return f"{len(accepted)} found room in the log, silent after {milliseconds(quiet)}"


@check("a full disk, and a crash while it rings: it rings again on the full disk, and a stop is silence", disks)
def full_crash(kind):
    place = Place(kind)
    soon, _ = place.schedule("Soon", 4)
    later, _ = place.schedule("Later")
    place.disk.fill()
    accepted, refused = place.schedule_until_refused()
    place.heard(soon)
    place.again()
    place.heard(soon)
    states = place.states()
    expect(not set(accepted) - set(states), "accepted alarms are lost")
    expect(states[soon] == "alerting" and states[later] == "countdown", "others are lost")
    expect(refused not in states, "what was refused is there")
    answer, quiet = place.stop(soon)
    expect(answer["type"] == "ok" or answer["code"] == "storage", f"{answer}")
    place.disk.empty()
    place.stored()
    place.again()
    expect(soon not in place.states(), "what was stopped is there again")
    return f"silent after {milliseconds(quiet)}"


@check("the disk takes no more writes, in the middle of a ring: refused, silent on a stop; after a repair all is there")
def read_only():
    place = Place()
    soon, _ = place.schedule("Soon", 2)
    next_one, _ = place.schedule("Next", 5)
    later, _ = place.schedule("Later")
    place.heard(soon)
    place.disk.become_read_only()
    refused, answer = place.schedule()
    expect(answer["type"] == "error" and answer["code"] == "storage", f"{answer}")
    answer, quiet = place.stop(soon)
    expect(answer.get("code") == "storage", f"{answer}")
    place.heard(next_one)
    place.stop(next_one)
    warned = str(place.daemon.ask("status")[-1]["status"])
    expect("alarms.db" in warned, f"the status says nothing of it: {warned}")
    place.again(between=place.disk.repair)
    states = place.states()
    expect(refused not in states and later in states, f"{states}")
    # Of what could not be confirmed, and was said so, either is right: gone, or ringing again.
    for alarm in {soon, next_one} & set(states):
        place.heard(alarm)
    place.daemon.connect().try_to_ask("stop", target="all")
    return f"silent after {milliseconds(quiet)}"


@check("a crash on a disk that takes no writes: what was stored rings, and the rest is refused")
def read_only_crash():
    place = Place()
    soon, _ = place.schedule("Soon", 4)
    place.disk.become_read_only()
    place.again()
    place.heard(soon)
    _, answer = place.schedule()
    expect(answer["type"] == "error" and answer["code"] == "storage", f"{answer}")
    answer, quiet = place.stop(soon)
    expect(answer.get("code") == "storage", f"{answer}")
    return f"silent after {milliseconds(quiet)}"


@check("the card with the store is pulled out while it rings: it goes on, stops, and what is set is refused")
def pulled():
    place = Place()
    soon, _ = place.schedule("Soon", 2)
    next_one, _ = place.schedule("Next", 5)
    later, _ = place.schedule("Later")
    place.heard(soon)
    place.disk.fail()
    _, answer = place.schedule()
    expect(answer["type"] == "error" and answer["code"] == "storage", f"{answer}")
    _, quiet = place.stop(soon)
    place.heard(next_one)
    place.stop(next_one)
    place.again(between=place.disk.repair)
    expect(later in place.states(), "what was accepted is lost")
    return f"silent after {milliseconds(quiet)}"
