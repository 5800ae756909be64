"""Users log in at the proxy, as with oauth2-proxy, which names them in a header (--auth-header)."""

import os
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from certificates import Certificate
from conftest import FLAGS
from live import button, expect_connection, status
from proxies import Apache, Haproxy, Nginx
from test_guide import asked
from waiting import run

USERS = {"ada": "one", "bob": "two"}
HEADER = "X-Forwarded-User"


class ApacheWithLogins(Apache):
    modules = [*Apache.modules, "auth_basic", "authn_core", "authn_file", "authz_user"]


def logins(kind, folder: Path) -> tuple[str, str]:
    """Returns the change of the guide's configuration by which a proxy asks for a login and sets the header."""
    file = folder / "users"
    hashed = {user: run("openssl", "passwd", "-apr1", word, text=True).stdout.strip() for user, word in USERS.items()}
    file.write_text("".join(f"{user}:{hash}\n" for user, hash in hashed.items()))
    file.chmod(0o644)
    if kind is Nginx:
        line = '    proxy_set_header Forwarded "";\n'
        return line, f"""{line}
            auth_basic "example";
            auth_basic_user_file {file};
            proxy_set_header {HEADER} $remote_user;
            proxy_set_header Authorization "";
            """
    if kind is Haproxy:
        lines = "".join(f"  user {user} insecure-password {word}\n" for user, word in USERS.items())
        line = "backend uifusion\n"
        return line, f"""userlist people
{lines}
backend uifusion
  http-request auth unless {{ http_auth(people) }}
  http-request set-header {HEADER} %[http_auth_user]
  http-request del-header Authorization
"""
    line = "  RequestHeader unset Forwarded\n"
    return line, f"""{line}
  <Location "/app/">
    AuthType Basic
    AuthName "example"
    AuthUserFile {file}
    Require valid-user
    RequestHeader set {HEADER} "expr=%{{REMOTE_USER}}"
    RequestHeader unset Authorization
  </Location>
"""


@pytest.fixture(params=[Nginx, Haproxy, ApacheWithLogins])
def deployment(request, deploy):
    with tempfile.TemporaryDirectory() as folder:
        # Apache's workers have another user, who cannot read the folders of tests.
        os.chmod(folder, 0o755)
        change = logins(request.param, Path(folder))
        yield deploy(request.param, change, flags=(*FLAGS, "--auth-header", HEADER))


FORM = ["-H", "Content-Type: application/json"]


def login(user: str) -> list[str]:
    return ["-u", f"{user}:{USERS[user]}"]


def test_a_session_belongs_to_the_user_that_the_proxy_names(deployment, certificate: Certificate):
    def ask(path: str, *arguments: str):
        return asked(certificate, "127.0.0.2", deployment.url + path, *arguments)

    new = [*FORM, "-d", '{"viewModel":"counter-sync"}']
    assert ask("/connection")[0] == 401
    assert ask("/connection", "-u", "ada:wrong")[0] == 401
    # The proxy drops the client's own header, in any case of letters.
    forged = [word for name in [HEADER, HEADER.lower()] for word in ("-H", f"{name}: bob")]
    made, session = ask("/sessions", *new, *login("ada"), *forged)
    assert made == 201
    path = f"/sessions/{session['id']}"
    assert ask(path, *login("ada"))[0] == 200
    assert ask(path, *login("bob"))[0] == 404
    assert ask(path, *login("bob"), "-H", f"{HEADER}: ada")[0] == 404
    assert ask(f"{path}/inputs", *FORM, "-d", '"increase"', *login("bob"))[0] == 404
    shared, share = ask(f"{path}/shares", *FORM, "-d", '{"role":"observer"}', *login("ada"))
    assert shared == 201
    assert ask(f"/sessions/{share['id']}", *login("bob"))[0] == 200
    # Without the proxy, the header is not trusted.
    direct = f"{deployment.service.url}{path}"
    for headers in [[], ["-H", f"{HEADER}: ada"], login("ada")]:
        assert asked(certificate, "127.0.0.2", direct, "-H", "Host: localhost", *headers)[0] == 401


def test_a_page_of_a_logged_in_user_is_live(deployment, browser: Browser):
    with browser.new_context(http_credentials={"username": "ada", "password": "one"}) as context:
        page = context.new_page()
        page.goto(f"{deployment.url}/counter-sync.html")
        expect_connection(page, "live")
        button(page, "Increase").click()
        expect(status(page, "Value")).to_have_text("1")
