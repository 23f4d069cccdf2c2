"""A notification server for tests: does what its standard input says, and tells what it is asked.

Arguments: its capabilities. Lines in, as JSON: {"do": "action", "id": 1, "key": "stop"},
{"do": "close", "id": 1, "reason": 2}, {"do": "hang"}, {"do": "resume"}, {"do": "refuse"}.
Lines out: {"event": "ready"}, "notify", "close", or "held" for a call that is not answered yet.
"""

import json
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def tell(event, **values):
    print(json.dumps({"event": event, **values}), flush=True)


class Server(dbus.service.Object):
    def __init__(self, bus, capabilities):
        super().__init__(bus, "/org/freedesktop/Notifications")
        self.capabilities = capabilities
        self.last = 0
        self.mode = "work"
        self.held = []
        self.input = b""

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return dbus.Array(self.capabilities, signature="s")

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return "notifyd", "tocsin", "1", "1.2"

    @dbus.service.method(
        NAME, in_signature="susssasa{sv}i", out_signature="u", async_callbacks=("reply", "fail")
    )
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout, reply, fail):
        if self.mode == "refuse":
            return fail(dbus.DBusException("not now", name="org.example.Refused"))

        def show():
            if not replaces:
                self.last += 1
            number = int(replaces) or self.last
            plain = {
                str(key): int(value) if isinstance(value, (int, dbus.Byte)) else str(value)
                for key, value in hints.items()
                if key != "sender-pid"
            }
            tell(
                "notify", id=number, replaces=int(replaces), app=app, icon=icon, summary=summary,
                body=body, actions=list(map(str, actions)), hints=plain, timeout=int(timeout),
            )
            reply(dbus.UInt32(number))

        if self.mode == "hang":
            self.held.append(show)
            tell("held")
        else:
            show()

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        tell("close", id=int(number))
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, key):
        pass

    def obey(self, source, condition):
        received = os.read(0, 65536)
        if not received:
            loop.quit()
            return False
        self.input += received
        *lines, self.input = self.input.split(b"\n")
        for line in lines:
            self.do(json.loads(line))
        return True

    def do(self, command):
        what = command["do"]
        if what == "action":
            self.ActionInvoked(dbus.UInt32(command["id"]), command["key"])
        elif what == "close":
            self.NotificationClosed(dbus.UInt32(command["id"]), dbus.UInt32(command["reason"]))
        elif what == "resume":
            self.mode, held, self.held = "work", self.held, []
            for show in held:
                show()
        else:
            self.mode = what


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
loop = GLib.MainLoop()
bus = dbus.SessionBus()
server = Server(bus, sys.argv[1:])
name = dbus.service.BusName(NAME, bus, do_not_queue=True)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, server.obey)
tell("ready")
loop.run()
