"""dunst and alarm clocks, on a screen that nobody sees and a session bus that starts nothing."""
import contextlib
import os
import subprocess
import time

from . import programs

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={path}</listen>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
NOTIFICATIONS = "org.freedesktop.Notifications"
# One alarm, far from due.
SETTINGS = """[io/github/alarm-clock-applet]
alarms=[1]

[io/github/alarm-clock-applet/alarm-1]
type='clock'
time={time}
timestamp=int64 {timestamp}
active=true
message='Wake up'
"""


@contextlib.contextmanager
def dunst(run):
    """The notification server; its process, and the seconds from exec to owning its name."""
    with _session(run, "dunst") as settings:
        with _named(run, settings, NOTIFICATIONS, [programs.find("dunst")]) as seen:
            yield seen


@contextlib.contextmanager
def alarm_clock_applet(run):
    """The applet with one alarm; its process, and None."""
    with _session(run, "alarm-clock-applet") as settings:
        directory = os.path.join(settings["XDG_CONFIG_HOME"], "glib-2.0", "settings")
        os.makedirs(directory, exist_ok=True)
        due = int(time.time()) + 20 * 3_600
        with open(os.path.join(directory, "keyfile"), "w", encoding="ascii") as file:
            file.write(SETTINGS.format(time=due % 86_400, timestamp=due))
        command = [programs.find("alarm-clock-applet"), "--hidden"]
        with programs.started(run, command, **settings) as child:
            programs.survive(run, child)
            yield child, None


@contextlib.contextmanager
def gnome_clocks(run):
    """GNOME's clocks in the background; its process, and the seconds from exec to owning its name."""
    with _session(run, "gnome-clocks") as settings:
        command = [programs.find("gnome-clocks"), "--gapplication-service"]
        with _named(run, settings, "org.gnome.clocks", command) as seen:
            yield seen


@contextlib.contextmanager
def _session(run, name):
    """A screen and a bus; the environment that leads to them."""
    directory = run.tools.directory(f"peers-{name}")
    path = os.path.join(directory, "bus")
    configuration = os.path.join(directory, "bus.conf")
    with open(configuration, "w", encoding="ascii") as file:
        file.write(BUS.format(path=path))
    screen = [programs.find("Xvfb"), "-displayfd", "1", "-nolisten", "tcp", "-noreset",
              "-screen", "0", "800x600x24"]
    bus = [programs.find("dbus-daemon"), f"--config-file={configuration}", "--nofork"]
    with programs.started(run, screen, stdout=subprocess.PIPE) as shown, \
            programs.started(run, bus) as carried:
        number = shown.stdout.readline().decode().strip()
        if not number:
            raise programs.Absent(f"no screen: {programs.said(run)}")
        programs.until(lambda: os.path.exists(path), carried)
        yield {
            "DISPLAY": f":{number}", "DBUS_SESSION_BUS_ADDRESS": f"unix:path={path}",
            "XDG_CONFIG_HOME": directory, "XDG_CACHE_HOME": directory,
            "XDG_DATA_HOME": directory, "XDG_RUNTIME_DIR": directory,
            "GSETTINGS_BACKEND": "keyfile", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
            "GTK_A11Y": "none",
        }


@contextlib.contextmanager
def _named(run, settings, name, command):
    """A program that owns a name on the bus."""
    waiting = [programs.find("gdbus"), "wait", "--session", "--timeout", "20", name]
    with programs.started(run, waiting, **settings) as waiter:
        # It watches before there is anything to see.
        time.sleep(0.5)
        start = time.monotonic()
        with programs.started(run, command, **settings) as child:
            if waiter.wait(25):
                raise programs.Absent(f"it does not own {name}: {programs.said(run)}")
            yield child, time.monotonic() - start
