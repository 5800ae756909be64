"""A certificate for localhost and a name below it, issued by an authority made for the test."""

from dataclasses import dataclass
from pathlib import Path

from waiting import run


@dataclass
class Certificate:
    authority: Path
    chain: Path
    key: Path
    both: Path


def make_certificate(folder: Path) -> Certificate:
    def openssl(*arguments) -> None:
        run("openssl", *arguments, cwd=folder)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "90", "-subj", "/CN=Test CA")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost,DNS:app.localhost,IP:127.0.0.1\n")
    openssl(
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-days", "90", "-extfile", "names", "-out", "server.pem",
    )
    both = folder / "both.pem"
    both.write_text((folder / "server.pem").read_text() + (folder / "server.key").read_text())
    return Certificate(folder / "ca.pem", folder / "server.pem", folder / "server.key", both)
