#!/usr/bin/env python3
"""A sink that pushes alarms to a phone through ntfy, or to any web hook, and takes answers back.

    [plugin phone]
    run = /path/to/webhook.py
    url = https://ntfy.sh
    topic = a-word-that-nobody-guesses

With `topic`, `url` is an ntfy server: each alert is a push whose buttons post "stop OCCURRENCE" to
TOPIC-reply, where this program listens. Without, each state is posted to `url` as the daemon's own
JSON object. `reply` is another address to listen at, for lines {"message":"stop OCCURRENCE"}."""
import http.client, json, os, sys, threading, time, urllib.request
TROUBLE = (OSError, ValueError, AttributeError, http.client.HTTPException)
settings, lock = {}, threading.Condition()
waiting = {}  # by occurrence: the newest event, until it is pushed
taken = {}  # by occurrence: the seq of the newest event, as long as there is something to present
told = set()  # the seq of those whose failure was told

def say(kind, **keys):
    with lock:
        print(json.dumps({"type": kind, **keys}), flush=True)

def push_of(event):
    """What is posted for an event; None for what a phone has no use for."""
    url, topic = settings["url"].rstrip("/"), settings.get("topic")
    if not topic or event["type"] != "alert":
        return None if topic else event
    actions = [{"action": "http", "label": button["text"], "url": f"{url}/{topic}-reply",
                "body": f"{button['role']} {event['occurrence']}", "clear": True}
               for button in event["buttons"] if button["role"] in ("stop", "snooze")]
    return {"topic": topic, "title": "Alarm", "message": event["title"][:1000] or "It rings.",
            "priority": 5, "tags": ["alarm_clock"], "actions": actions}

def push_all():
    """The thread that waits for the server, so that nobody else has to."""
    pause, kind = 1, {"Content-Type": "application/json"}
    while True:
        with lock:
            lock.wait_for(lambda: waiting)
            occurrence, event = next(iter(waiting.items()))
        try:
            body = json.dumps(push_of(event)).encode()  # at most 4 s: the daemon waits for 5
            push = urllib.request.Request(settings["url"], body, kind)
            urllib.request.urlopen(push, timeout=4).close()  # anything but 2xx is an error
        except TROUBLE as error:
            with lock:
                if waiting.get(occurrence) is event:
                    waiting[occurrence] = waiting.pop(occurrence)  # again, after the others
                for seq in {late["seq"] for late in waiting.values()} - told:
                    say("failed", seq=seq, reason=f"{settings['url']}: {error}", retry=True)
                    told.add(seq)  # it is one server: none of them gets through
                lock.wait(pause)
            pause = min(2 * pause, 60)
        else:
            with lock:
                if waiting.get(occurrence) is event:
                    del waiting[occurrence]
                say("presented", seq=event["seq"])
            pause = 1

def listen(address):
    """The thread that takes answers; ntfy sends something every 45 seconds."""
    while True:
        try:
            with urllib.request.urlopen(address, timeout=120) as lines:
                for line in lines:
                    action, _, occurrence = str(json.loads(line).get("message")).partition(" ")
                    if action in ("stop", "snooze") and occurrence in taken:
                        say("intent", action=action, occurrence=occurrence)
        except TROUBLE as error:
            say("log", level="warning", message=f"no answers from {address} for now: {error}")
        time.sleep(5)

def take(event):
    """A new state: its push takes the place of one that still waits for the same occurrence."""
    seq, occurrence = event["seq"], event["occurrence"]
    with lock:
        if taken.get(occurrence) == seq:
            return occurrence in waiting or say("presented", seq=seq)
        taken[occurrence] = seq
        waiting.pop(occurrence, None)
        if event["type"] == "cleared":
            del taken[occurrence]
        if not settings.get("url") and event["type"] == "alert":
            say("failed", seq=seq, reason="nobody to push to: set url in its section")
        elif not settings.get("url") or push_of(event) is None:
            say("presented", seq=seq)
        else:
            waiting[occurrence] = event
            lock.notify()

def sync(message):
    with lock:
        wanted = {event["occurrence"]: event["seq"] for event in message["presentations"]}
        for occurrence in [each for each in taken if taken[each] != wanted.get(each)]:
            taken.pop(occurrence), waiting.pop(occurrence, None)
        for event in message["presentations"]:
            take(event)

def greet(hello):
    settings.update(hello.get("settings", {}))
    for key in settings.keys() - {"url", "topic", "reply"}:
        sys.exit(print(f"unknown key {key}, there are url, topic, reply", file=sys.stderr) or 78)
    say("ready", name="webhook", version="1", capabilities=["visual"], audible=False)
    url, topic = settings.get("url", "").rstrip("/"), settings.get("topic")
    reply = settings.get("reply") or (topic and f"{url}/{topic}-reply/json")
    for body, is_wanted in (push_all, url), (lambda: listen(reply), url and reply):
        if is_wanted:
            threading.Thread(target=body, daemon=True).start()

kinds = {"hello": greet, "sync": sync, "ping": lambda _: say("pong"), "bye": lambda _: os._exit(0),
         "alert": take, "countdown": take, "paused": take, "cleared": take}
for line in sys.stdin.buffer:
    try:
        message = json.loads(line.decode())
        kinds.get(message["type"], len)(message)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass  # no message, or one of a later version
os._exit(0)  # not for the sake of a push that hangs
