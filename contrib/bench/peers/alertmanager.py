"""Prometheus' alertmanager, which sends each alert to a webhook."""
import contextlib
import http.client
import json
import os
import sys
import time

from . import programs

BATCH = 200


@contextlib.contextmanager
def resident(run):
    """One that answers; its process, and the seconds from exec to the first 200 of its HTTP API."""
    with _alertmanager(run, 1) as (child, seconds, _):
        yield child, seconds


def fan_out(run, events):
    """Deliveries a second to one receiver, each alert in a group and a request of its own."""
    port = programs.free_port()
    seen = os.path.join(run.tools.directory("peers-alertmanager"), "seen")
    script = os.path.join(programs.SCRIPTS, "webhook.py")
    receive = [sys.executable, script, str(port), str(events), seen]
    with programs.started(run, receive) as receiver, _alertmanager(run, port) as (child, _, api):
        programs.until(lambda: os.path.exists(seen), receiver)
        connection = http.client.HTTPConnection(programs.HOST, api, timeout=30)
        start = time.time()
        for first in range(0, events, BATCH):
            alerts = [
                {"labels": {"alertname": f"event {number}"}}
                for number in range(first, min(events, first + BATCH))
            ]
            connection.request("POST", "/api/v2/alerts", json.dumps(alerts),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise programs.Absent(f"alertmanager answered {answer.status}")
        connection.close()
        programs.until(lambda: os.path.getsize(seen) > 0, child, limit=30)
    with open(seen, encoding="ascii") as file:
        return events / (float(file.read()) - start)


@contextlib.contextmanager
def _alertmanager(run, webhook):
    directory = run.tools.directory("peers-alertmanager")
    path = os.path.join(directory, "alertmanager.yml")
    with open(path, "w", encoding="ascii") as file:
        json.dump({
            "route": {"receiver": "one", "group_by": ["..."], "group_wait": "0s"},
            "receivers": [{"name": "one", "webhook_configs": [
                {"url": f"http://{programs.HOST}:{webhook}/", "send_resolved": False},
            ]}],
        }, file)
    api = programs.free_port()
    command = [
        programs.find("prometheus-alertmanager"), f"--config.file={path}",
        f"--storage.path={directory}", f"--web.listen-address={programs.HOST}:{api}",
        "--cluster.listen-address=", "--log.level=error",
    ]
    with programs.started(run, command) as child:
        yield child, programs.until(lambda: _answers(api), child), api


def _answers(port):
    connection = http.client.HTTPConnection(programs.HOST, port, timeout=5)
    try:
        connection.request("GET", "/api/v2/status")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
