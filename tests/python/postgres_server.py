"""A PostgreSQL server of its own for tests: in a temporary folder, on 127.0.0.1, stopped at the end."""

import contextlib
import glob
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile

import psycopg2


def programs():
    """The folder of initdb and pg_ctl, or None. Debian keeps them out of PATH, one folder a version."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda f: int(f.split("/")[-2]))
    if not folders and shutil.which("initdb"):
        folders = [pathlib.Path(shutil.which("initdb")).parent]
    return pathlib.Path(folders[-1]) if folders else None


class PostgresServer:
    """Running from its making until stop(). It trusts everybody on this machine, as user `postgres`."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tarn-pg-"))
        self.owner = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self.owner = pwd.getpwnam("postgres")
            os.chown(self.folder, self.owner.pw_uid, self.owner.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        data = self.folder / "data"
        self._run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        self.databases = 0
        self.start()

    def _run(self, program, *arguments):
        command = [str(programs() / program), *map(str, arguments)]
        as_owner = {}
        if self.owner:
            as_owner = {"user": self.owner.pw_uid, "group": self.owner.pw_gid, "extra_groups": []}
        done = subprocess.run(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120, **as_owner
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stderr}")

    def new_database(self):
        """Its address."""
        self.databases += 1
        name = f"lake{self.databases}"
        with contextlib.closing(psycopg2.connect(self._address("postgres"))) as connection:
            connection.autocommit = True
            connection.cursor().execute(f"CREATE DATABASE {name}")
        return self._address(name)

    def _address(self, database):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-D", self.folder / "data", "-m", mode, "-w", "stop")

    def start(self):
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder} -c fsync=off -c shared_buffers=32MB"
        self._run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")

    def remove(self):
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
