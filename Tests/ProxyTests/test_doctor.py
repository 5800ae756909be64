"""Faults of deployments, and the doctor's advice for each."""

import os
import signal
import subprocess
from dataclasses import dataclass

import pytest

from certificates import Certificate
from conftest import FLAGS
from doctor import examine
from http_session import fetched
from proxies import Apache, Change, Haproxy, Nginx, PlainHaproxy, Proxy
from service import PROGRAM
from waiting import awaited, eventually


def without(*names: str) -> tuple[str, ...]:
    """Returns the flags of the guide without some of them."""
    pairs = zip(FLAGS[::2], FLAGS[1::2])
    return tuple(word for name, value in pairs if name not in names for word in (name, value))


@dataclass
class Fault:
    name: str
    kind: type[Proxy]
    #: The changes of the guide's configuration.
    changes: list[Change]
    #: The check that finds the fault, and a part of its message.
    check: str
    text: str
    #: A part of the advice.
    advice: str
    flags: tuple[str, ...] = FLAGS
    level: str = "failure"
    #: The proxy's name for clients.
    host: str = "localhost"
    #: The number of attempts: on a busy machine, slow responses hide the delay of events.
    tries: int = 1


NGINX_PASS = "    proxy_pass http://uifusion;\n"
APACHE_PASS = "  ProxyPreserveHost On\n"
HAPROXY_SERVER = "  server one"

FAULTS = [
    Fault(
        "buffering", Nginx, [(NGINX_PASS, NGINX_PASS + "proxy_ignore_headers X-Accel-Buffering;\n")],
        "stream", "something on the way buffers", "proxy_buffering off;",
    ),
    Fault(
        "buffering", Haproxy, [(HAPROXY_SERVER, "  http-response wait-for-body time 10s at-least 32k\n" + HAPROXY_SERVER)],
        "stream", "something on the way buffers", "wait-for-body",
    ),
    Fault(
        "buffering", Apache, [(APACHE_PASS, APACHE_PASS + "SetOutputFilter hold\nExtFilterDefine hold mode=output cmd=\"/usr/bin/dd bs=64k iflag=fullblock status=none\"\n")],
        "stream", "something on the way buffers", "no SetOutputFilter",
    ),
    Fault(
        "weak tags", Nginx, [(NGINX_PASS, NGINX_PASS + "gzip on;\ngzip_types application/json;\ngzip_min_length 1;\n")],
        "headers", "makes ETags weak", "gzip off;", level="warning",
    ),
    Fault(
        "HTTP/1.0", Nginx, [("    proxy_http_version 1.1;\n", "")],
        "arrival", "HTTP/1.0", 'proxy_http_version 1.1; proxy_set_header Connection "";',
    ),
    Fault(
        "HTTP/1.0", Apache, [(APACHE_PASS, APACHE_PASS + "SetEnv force-proxy-request-1.0 1\nSetEnv proxy-nokeepalive 1\n")],
        "arrival", "HTTP/1.0", "force-proxy-request-1.0",
    ),
    Fault(
        "scheme", Nginx, [("    proxy_set_header X-Forwarded-Proto $scheme;\n", "")],
        "arrival", "missing forwarded scheme", "proxy_set_header X-Forwarded-Proto $scheme;",
    ),
    Fault(
        "scheme", Haproxy, [("  http-request set-header X-Forwarded-Proto https\n", "")],
        "arrival", "missing forwarded scheme", "http-request set-header X-Forwarded-Proto https",
    ),
    Fault(
        "scheme", Apache, [('  RequestHeader set X-Forwarded-Proto "https"\n', "")],
        "arrival", "missing forwarded scheme", "RequestHeader set X-Forwarded-Proto",
    ),
    Fault(
        "client", Nginx, [("    proxy_set_header X-Forwarded-For $remote_addr;\n", "")],
        "arrival", "the client's address does not arrive", "proxy_set_header X-Forwarded-For $remote_addr;",
    ),
    Fault(
        "client", Haproxy, [("  http-request set-header X-Forwarded-For %[src]\n", "")],
        "arrival", "the client's address does not arrive", "http-request set-header X-Forwarded-For %[src]",
    ),
    Fault(
        "client", Apache, [(APACHE_PASS, APACHE_PASS + "ProxyAddHeaders Off\n")],
        "arrival", "the client's address does not arrive", "no ProxyAddHeaders Off",
    ),
    Fault(
        "idle time-out", Nginx, [(NGINX_PASS, NGINX_PASS + "proxy_read_timeout 1s;\n")],
        "stream", "idle time-out below the heartbeat of 2 s: cut after", "proxy_read_timeout 8s;",
    ),
    Fault(
        "idle time-out", Haproxy, [("timeout server 60s", "timeout server 1s")],
        "stream", "idle time-out below the heartbeat of 2 s: cut after", "timeout server 8s",
    ),
    Fault(
        "idle time-out", Apache, [(APACHE_PASS, APACHE_PASS + "ProxyTimeout 1\n")],
        "stream", "idle time-out below the heartbeat of 2 s: cut after", "ProxyTimeout 8",
    ),
    Fault(
        "delay", PlainHaproxy, [("  option http-no-delay\n", "")],
        "stream", "ms behind answers (p50): something holds small packets", "option http-no-delay", level="warning", tries=8,
    ),
    *(
        Fault(
            "prefix", kind, [], "reach", "prefix not stripped", "--base-path /app",
            flags=without("--base-path"),
        )
        for kind in (Nginx, Haproxy, Apache)
    ),
    Fault(
        "prefix stripped", Nginx, [(NGINX_PASS, "    proxy_pass http://uifusion/;\n")],
        "arrival", "takes / for its base path", "--base-path /app", flags=without("--base-path"),
    ),
    *(
        Fault(
            "untrusted", kind, [], "arrival", "ignores what the proxy forwards", "--trusted-proxy",
            flags=without("--trusted-proxy"),
        )
        for kind in (Nginx, Haproxy, Apache)
    ),
    Fault(
        "host lost", Nginx,
        [("    proxy_set_header Host $http_host;\n", ""), ("    proxy_set_header X-Forwarded-Host $http_host;\n", "")],
        "arrival", "sees the host uifusion", "proxy_set_header Host $http_host;", flags=without("--allow-host"),
    ),
    Fault(
        "host lost, and refused", Nginx,
        [("    proxy_set_header Host $http_host;\n", ""), ("    proxy_set_header X-Forwarded-Host $http_host;\n", "")],
        "arrival", "the service refuses the host that arrives: 421", "proxy_set_header Host $http_host;",
    ),
    Fault(
        "port lost", Nginx, [("$http_host", "$host")],
        "arrival", "sees the host localhost, not", "proxy_set_header Host $http_host;",
    ),
    Fault(
        "a header dropped", Nginx, [(NGINX_PASS, NGINX_PASS + 'proxy_set_header Idempotency-Key "";\n')],
        "headers", "Idempotency-Key does not reach", "proxy_set_header",
    ),
    Fault(
        "a header dropped", Apache, [(APACHE_PASS, APACHE_PASS + "RequestHeader unset Last-Event-ID\n")],
        "stream", "Last-Event-ID does not reach", "no RequestHeader unset",
    ),
    Fault(
        "a header dropped", Haproxy, [(HAPROXY_SERVER, "  http-response del-header Content-Security-Policy\n" + HAPROXY_SERVER)],
        "headers", "answers lose Content-Security-Policy", "http-response del-header",
    ),
    Fault(
        "no HSTS", Apache, [('  Header always set Strict-Transport-Security "max-age=31536000"\n', "")],
        "tls", "no Strict-Transport-Security", "Strict-Transport-Security", level="warning",
        flags=(*FLAGS, "--allow-host", "app.localhost"), host="app.localhost",
    ),
    Fault(
        "HSTS of no time", Nginx, [("max-age=31536000", "max-age=0")],
        "tls", "no Strict-Transport-Security", "Strict-Transport-Security", level="warning",
        flags=(*FLAGS, "--allow-host", "app.localhost"), host="app.localhost",
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.kind.__name__.lower()}: {fault.name}")
def test_a_fault_is_found_with_the_line_that_fixes_it(deploy, certificate: Certificate, fault: Fault):
    deployment = deploy(fault.kind, *fault.changes, flags=fault.flags)
    for _ in range(fault.tries):
        report = examine(deployment.url.replace("localhost", fault.host), certificate.authority)
        assert report.status == (1 if fault.level == "failure" else 0), report
        found = [f for f in report.at(fault.level) if f["check"] == fault.check and fault.text in f["text"]]
        if found:
            break
    assert len(found) == 1, report
    assert any(fault.advice in line for line in found[0]["advice"]), report


def test_a_certificate_of_an_unknown_authority_is_a_fault(deploy):
    deployment = deploy(Nginx)
    report = examine(deployment.url, None)
    assert report.status == 1
    assert [f["check"] for f in report.at("failure")] == ["tls"], report
    report = examine(deployment.url, None, "--insecure", "--quick")
    assert [f["check"] for f in report.at("failure")] == ["tls"], report
    assert len(report.at("ok")) > 12, report


def test_a_view_model_whose_input_changes_nothing_is_no_fault(deploy, certificate: Certificate):
    deployment = deploy(Nginx)
    report = examine(deployment.url, certificate.authority, "--view-model", "todos")
    assert report.status == 0, report
    assert {f["check"] for f in report.at("skipped")} == {"stream"}, report


def test_a_proxy_that_cannot_reach_its_service_is_a_fault(deploy, certificate: Certificate):
    deployment = deploy(Nginx)
    deployment.service.kill()
    report = examine(deployment.url, certificate.authority)
    assert report.status == 1
    assert "502 of the proxy" in report.at("failure")[0]["text"], report


def test_an_interrupted_doctor_leaves_no_session_behind(deploy, certificate: Certificate):
    deployment = deploy(Nginx, flags=(*without("--heartbeat"), "--heartbeat", "60"))

    def sessions() -> int:
        metrics = fetched(f"{deployment.service.url}/metrics").decode()
        return next(int(line.split()[1]) for line in metrics.splitlines() if line.startswith("uifusion_sessions "))

    environment = os.environ | {"CURL_CA_BUNDLE": str(certificate.authority)}
    doctor = subprocess.Popen([PROGRAM, "doctor", deployment.url], stdout=subprocess.DEVNULL, env=environment)
    eventually(lambda: sessions() == 1, "its session")
    doctor.send_signal(signal.SIGINT)
    assert awaited(doctor.wait, 20) == 128 + signal.SIGINT
    assert sessions() == 0
