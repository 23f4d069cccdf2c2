"""Which versions of the peers there are."""
import subprocess

from . import programs

PACKAGES = {
    "at": "at", "cron": "cron", "remind": "remind", "mosquitto": "mosquitto",
    "prometheus-alertmanager": "alertmanager", "dunst": "dunst",
    "alarm-clock-applet": "alarm-clock-applet", "gnome-clocks": "gnome-clocks",
}
LIBRARIES = ("APScheduler", "SQLAlchemy", "apprise")
ASK = """
import importlib.metadata, sys
for name in sys.argv[1:]:
    print(name, importlib.metadata.version(name))
"""


def found(run):
    """Versions by the names of programs and libraries; of those that are installed."""
    return {**_packages(run), **_libraries(run)}


def _packages(run):
    # Says what it knows even if it does not know them all.
    form = "${Package} ${Version}\n"
    try:
        text = subprocess.run(
            ["dpkg-query", "--show", f"--showformat={form}", *PACKAGES], check=False,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=programs.environment(run),
            text=True, timeout=30,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    pairs = [line.split(" ") for line in text.splitlines()]
    return {PACKAGES[name]: version for name, version in pairs if version}


def _libraries(run):
    try:
        text = programs.output(run, [programs.python(run), "-c", ASK, *LIBRARIES])
    except (programs.Absent, subprocess.SubprocessError):
        return {}
    return dict(line.split() for line in text.splitlines())
