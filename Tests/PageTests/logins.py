"""Logins of browsers: cookies like those of a route's `response.logIn`."""

import base64
import hashlib
import hmac
import json
from time import time

from playwright.sync_api import BrowserContext

#: What the file of `--auth-cookies` has to contain.
KEY = "k" * 64
NAME = "uifusion-login"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def cookie(id: str, seconds: int = 3600) -> str:
    """Returns a cookie like that of `response.logIn`."""
    signed = f"{NAME}=" + encoded(json.dumps({"id": id, "expires": int(time()) + seconds}).encode())
    return signed[len(NAME) + 1:] + "." + encoded(hmac.digest(KEY.encode(), signed.encode(), hashlib.sha256))


def log_in(context: BrowserContext, url: str, value: str) -> None:
    context.add_cookies([{"name": NAME, "value": value, "url": url}])
