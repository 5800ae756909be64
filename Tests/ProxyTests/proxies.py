"""nginx, haproxy and Apache as child processes of a test, each in its own folder."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

from guide import Places, changed, configuration, placed
from waiting import awaited, eventually

Change = tuple[str, str]


class Proxy:
    """A proxy that runs until it is stopped. Subclasses configure it."""

    language: str

    def __init__(self, folder: Path, places: Places, *changes: Change):
        self.folder = folder
        self.places = places
        self.log = folder / "proxy.log"
        file = folder / "proxy.conf"
        file.write_text(self.file(self.adapted(changed(configuration(self.language), *changes))))
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(file), stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
            )
        eventually(self.listens, f"it listens; see {self.log}")

    @property
    def url(self) -> str:
        return f"https://localhost:{self.places.port}/app"

    def adapted(self, text: str) -> str:
        raise NotImplementedError

    def file(self, text: str) -> str:
        return text

    def command(self, file: Path) -> list:
        raise NotImplementedError

    def listens(self) -> bool:
        assert self.process.poll() is None, f"it does not start:\n{self.log.read_text()}"
        try:
            awaited(socket.create_connection, ("127.0.0.1", self.places.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        self.process.terminate()
        try:
            awaited(self.process.wait, 10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            awaited(self.process.wait)


class Nginx(Proxy):
    language = "nginx"

    def adapted(self, text: str) -> str:
        places = self.places
        return placed(
            text,
            ("listen 443 ssl", f"listen 127.0.0.1:{places.port} ssl"),
            ("server_name example.org", "server_name localhost"),
            ("/etc/ssl/example.org.pem", str(places.chain)),
            ("/etc/ssl/private/example.org.key", str(places.key)),
            places=places,
        )

    def file(self, text: str) -> str:
        folder = self.folder
        user = "user root;" if os.geteuid() == 0 else ""
        kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        return f"""
            {user}
            daemon off;
            worker_processes 1;
            pid {folder}/nginx.pid;
            error_log {self.log};
            events {{ }}
            http {{
            access_log off;
            {temporary}
            {text}
            }}
            """

    def command(self, file: Path) -> list:
        return [program("nginx"), "-p", self.folder, "-c", file, "-e", self.log]


class Haproxy(Proxy):
    language = "haproxy"

    def adapted(self, text: str) -> str:
        places = self.places
        return placed(
            text,
            ("bind :443", f"bind 127.0.0.1:{places.port}"),
            ("/etc/haproxy/example.org.pem", str(places.both)),
            places=places,
        )

    def command(self, file: Path) -> list:
        return [program("haproxy"), "-db", "-f", file]


class PlainHaproxy(Haproxy):
    """haproxy without TLS: TLS records are sent at once, as they are written whole."""

    @property
    def url(self) -> str:
        return f"http://localhost:{self.places.port}/app"

    def adapted(self, text: str) -> str:
        return placed(
            text,
            ("bind :443 ssl crt /etc/haproxy/example.org.pem alpn h2,http/1.1", f"bind 127.0.0.1:{self.places.port}"),
            ("X-Forwarded-Proto https", "X-Forwarded-Proto http"),
            places=self.places,
        )


class Apache(Proxy):
    language = "apache"
    modules = ["mpm_event", "alias", "authz_core", "env", "headers", "ext_filter", "proxy", "proxy_http", "ssl"]

    def adapted(self, text: str) -> str:
        places = self.places
        return placed(
            text,
            ("*:443", f"127.0.0.1:{places.port}"),
            ("ServerName example.org", "ServerName localhost"),
            ("/etc/ssl/example.org.pem", str(places.chain)),
            ("/etc/ssl/private/example.org.key", str(places.key)),
            places=places,
        )

    def file(self, text: str) -> str:
        folder = self.folder
        loads = "".join(f"LoadModule {m}_module /usr/lib/apache2/modules/mod_{m}.so\n" for m in self.modules)
        # If Apache is started by root, its workers must have another user.
        user = "User www-data\nGroup www-data" if os.geteuid() == 0 else ""
        return f"""
{loads}
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/apache.pid
ErrorLog {self.log}
ServerName localhost
Listen 127.0.0.1:{self.places.port}
StartServers 1
ThreadsPerChild 32
MinSpareThreads 8
{user}
{text}
"""

    def command(self, file: Path) -> list:
        return [program("apache2"), "-f", file, "-DFOREGROUND"]


def program(name: str) -> str:
    found = shutil.which(name)
    assert found, f"there is no {name}"
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
