"""Very many alarms due at once, and sinks that say when each was read and when all were acknowledged."""
import os
import random
import shutil
import time

import alerts
import service

# Between setting the alarms and their time, so that the store's work for it is over.
REST = 3


class Burst:
    """`count` alarms, each for `processes` sinks, due at one instant or at random within `spread` µs."""

    def __init__(self, tools, count, processes, spread=0):
        name = f"burst-{count}-{processes}-{spread}"
        directory = tools.directory(f"{name}-taken")
        paths = [os.path.join(directory, str(place)) for place in range(processes)]
        # Where the machine is slow an answer may take long; that is not what is wrong or right here.
        sections = "".join(
            f"[plugin sink{place}]\nrun = {tools.program('sink')} {path} {count} {place}\n"
            "receipt-timeout = 1min\n"
            for place, path in enumerate(paths)
        )
        daemon = service.Service(tools, name, sections, limit=count).start()
        daemon.wait_for_sinks(processes)
        chance = random.Random(count)
        # Setting an alarm takes less than 0.5 ms even where the disk is slow.
        begin = time.time_ns() // 1_000 + int((REST + count * 0.0005) * 1e6)
        plans = []
        for title in range(count):
            due = begin + (chance.randrange(spread) if spread else 0)
            plans.append((due, -chance.randint(-100, 100), service.identity(), title))
        daemon.fill([
            alerts.fixed(title, due, identity, priority=-priority)
            for due, priority, identity, title in plans
        ])
        if time.time_ns() // 1_000 >= begin:
            raise service.Failure(f"setting {count} alarms took too long to begin")
        # The more important first, where several are due at once; then by identity.
        plans.sort()
        self.dues = [due for due, *_ in plans]
        self.due = self.dues[-1]
        self.order = [str(title) for *_, title in plans]
        self.syncs = 0
        self._wait(daemon, paths)
        taken = [self._check(path) for path in paths]
        # When each sink had read the last alert, and when the daemon had taken all its answers.
        self.read = [reads[-1][2] / 1_000 for reads, _ in taken]
        self.acknowledged = [done / 1_000 for _, done in taken]
        self.unheard = self._check_history(daemon, count, processes)
        daemon.remove()
        shutil.rmtree(directory)

    @property
    def presented_ms(self):
        """From the last due instant until every sink had read every alert."""
        return (max(self.read) - self.due) / 1_000

    @property
    def acknowledged_ms(self):
        """From the last due instant until the daemon had every answer."""
        return (max(self.acknowledged) - self.due) / 1_000

    @property
    def troubles(self):
        """What a slow machine brought about, for a note; mostly empty."""
        return "".join([
            f"; {self.syncs} sinks were so far behind that a sync told all anew" if self.syncs else "",
            f"; {self.unheard} alarms were reported before their answers were read"
            if self.unheard else "",
        ])

    @staticmethod
    def _wait(daemon, paths, limit=90):
        end = time.monotonic() + limit
        while not all(os.path.exists(path) for path in paths):
            if time.monotonic() > end:
                there = sum(os.path.exists(path) for path in paths)
                raise service.Failure(
                    f"{there} of {len(paths)} sinks had everything taken; {daemon.said()}"
                )
            time.sleep(0.1)

    def _check(self, path):
        """What a sink wrote: each alert once, in order, and the end."""
        with open(path, encoding="ascii") as file:
            lines = [line.split() for line in file]
        reads = [(title, int(number), int(at)) for title, number, at in lines]
        *reads, (_, syncs, done) = reads
        self.syncs += syncs
        titles = [title for title, _, _ in reads]
        if len(set(titles)) != len(titles) or set(titles) != set(self.order):
            raise service.Failure(
                f"of {len(self.order)} alerts {len(titles)} came, {len(set(titles))} different ones"
            )
        if titles != self.order:
            raise service.Failure("alerts came in another order than that of their importance")
        if any(at < due * 1_000 for (_, _, at), due in zip(reads, self.dues, strict=True)):
            raise service.Failure("an alert came early")
        return reads, done

    @staticmethod
    def _check_history(daemon, count, processes):
        """Each answer is in the record once; how many alarms were reported because it came too late."""
        wanted = {"type": "history", "limit": 2 * count * processes}
        told = [
            (line["entry"]["title"], line["entry"]["source"])
            for line in daemon.ask({**wanted, "events": ["presented"]})[:-1]
        ]
        if len(told) != count * processes or len(set(told)) != len(told):
            raise service.Failure(
                f"{count * processes} answers, {len(told)} in the record,"
                f" {len(set(told))} different ones"
            )
        return len(daemon.ask({**wanted, "events": ["unheard"]})) - 1
