"""Start the whole service and keep it running: `python -m wargame.running.launcher`, or `make run`.

It checks the environment, the port and the data folder, prepares the database, and then runs the site
(gunicorn), the jobs (Celery worker), those that wait for other machines (another one) and the jobs' clock (Celery beat)
as its children until Ctrl-C or SIGTERM. The children can't outlive it. With --with-parent it stops when the process
that started it ends.
"""

import argparse
import functools
import gc
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from wargame.running import data_folder, env, parent
from wargame.running.probe import Probe
from wargame.running.supervisor import Child, Supervisor


def main() -> int:
    """Run the service; 0 after an orderly stop, 1 with a sentence on stderr if it can't start."""
    arguments = argparse.ArgumentParser(prog="launcher", description="Start the whole service.")
    arguments.add_argument("--with-parent", action="store_true", help="stop when the parent process ends")
    if arguments.parse_args().with_parent:
        parent.die_with(os.getppid(), signal.SIGTERM)
    supervisor = Supervisor(say)
    supervisor.listen_to_signals()
    try:
        variables = env.get_all()
        folder = data_folder.make(variables["WARGAME_DATA"])
        with data_folder.lock(folder), listen(variables["HOST"], variables["PORT"]) as listener:
            serve(variables, folder, listener, supervisor)
    except env.BadVariable as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("Stopped before the service was ready.")
    return 0


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on `host` and `port`. Raises BadVariable if that is impossible.

    The launcher keeps it for the site's processes, so that no other program takes the port while they restart.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(512)
    except socket.gaierror:
        raise env.BadVariable(f"HOST is “{host}”: this machine has no such address.") from None
    except OSError as error:
        other = port + 1 if 1024 <= port < 65535 else 8000
        raise env.BadVariable(
            f"Port {port} on {host} can't be used ({error.strerror}). Choose another one, like PORT={other}."
        ) from None
    return listener


def serve(variables: dict[str, object], folder: Path, listener: socket.socket, supervisor: Supervisor) -> None:
    """Prepare the database, then run the children until a signal says stop.

    The imports wait until the environment is checked. They are done here once for all children.
    """
    say(f"{variables['SITE_NAME']}, on {place(variables, folder)}")
    from wargame.running import prepare

    logins = prepare.prepare()
    from wargame.running import processes

    data_folder.clear(folder)
    gc.freeze()
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    supervisor.children = [
        Child("site", functools.partial(processes.site, listener.fileno()), logs / "site.log"),
        Child("worker", processes.worker, logs / "worker.log"),
        Child("mail", processes.mail_worker, logs / "mail.log"),
        Child("beat", processes.beat, logs / "beat.log"),
    ]
    probe = Probe(listener.getsockname(), functools.partial(announce, logs, logins))
    supervisor.run(probe.look)


def announce(logs: Path, logins: str, address: str, status: int) -> None:
    """Print the site's address and how to log in, once it responds."""
    say(f"\n  http://{address}/\n")
    if status >= 500:
        say(f"The site responds with an error ({status}). See its log: {logs / 'site.log'}\n")
    if logins:
        say(logins.rstrip() + "\n")
    say(f"Logs are in {logs}. Ctrl-C stops.")


def place(variables: dict[str, Any], folder: Path) -> str:
    """The place of the service's data, for a person; no passwords."""
    database = (variables["DATABASE_URL"] or "sqlite:").split(":")[0]
    jobs = "Redis" if variables["REDIS_URL"] else "job files"
    return f"{'SQLite' if database == 'sqlite' else 'PostgreSQL'} and {jobs}, data folder {folder}"


def say(text: str) -> None:
    """Print a message to the console."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
