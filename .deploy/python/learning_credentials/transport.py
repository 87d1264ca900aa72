"""Calls methods by the Connect protocol, as JSON over HTTP."""

from __future__ import annotations

import base64
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar, Union, cast

import requests

from .errors import ApiError, error_of

Token = Union[str, Callable[[], str], None]
Message = TypeVar("Message", bound=Mapping[str, Any])

_LONGEST_PAUSE = 20.0
_LARGEST_MESSAGE = 64 * 1024 * 1024
_LAST = 2  # the flag of a stream's last envelope


class Transport:
    """Sends requests to the service on behalf of a caller.

    :param base_url: URL of the HTTP port, for example ``https://credentials.example.org``
    :param token: the caller's token, or a function that returns the token and is called for each attempt
    :param timeout: time limit in seconds for a call including its retries; for streams, time limit between two messages
    :param retries: maximum number of retries of an idempotent call if the service is unavailable or says when to retry
    """

    def __init__(
        self,
        base_url: str,
        token: Token = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        session: requests.Session | None = None,
    ) -> None:
        if not base_url.startswith(("https://", "http://")):
            raise ValueError(f"base_url must start with https:// or http://, not {base_url!r}")
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._session = session or requests.Session()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._session.close()

    def call(self, method: str, request: Mapping[str, Any], *, timeout: float | None = None, safe: bool = False) -> Any:
        """Calls a method such as ``learning_credentials.v1.CredentialService/GetCredential``.

        :raises ApiError: if the call fails
        """
        limit = self._timeout if timeout is None else timeout
        deadline = time.monotonic() + limit
        for attempt in range(self._retries + 1):
            try:
                return self._attempt(method, request, deadline - time.monotonic())
            except ApiError as error:
                pause = error.retry_after if error.retry_after is not None else 0.2 * 2**attempt * (0.5 + random.random())
                is_last = attempt == self._retries or time.monotonic() + pause >= deadline or pause > _LONGEST_PAUSE
                is_transient = error.code == "unavailable" or error.retry_after is not None
                if not safe or not is_transient or is_last:
                    raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def send(self, method: str, messages: Iterable[Mapping[str, Any]], *, timeout: float | None = None) -> Any:
        """Calls a method that takes a stream of messages, and returns its response."""
        responses = list(self._stream(method, messages, timeout))
        if len(responses) != 1:
            raise ApiError("internal", f"{method} returned {len(responses)} responses instead of one")
        return responses[0]

    def stream(self, method: str, request: Mapping[str, Any], *, timeout: float | None = None) -> Iterator[Any]:
        """Calls a method that returns a stream of messages. It ends when the service ends it, or with an ApiError."""
        return self._stream(method, [request], timeout)

    def pages(self, method: Callable[[Message], Any], request: Message) -> Iterator[Any]:
        """Calls a method that returns pages, such as ``client.credentials.list_credentials``, until the last one."""
        token = ""
        while True:
            page = method(cast(Message, {**request, "pageToken": token}) if token else request)
            yield page
            token = page.get("nextPageToken", "")
            if not token:
                return

    def _post(self, method: str, body: Any, content_type: str, timeout: float, **options: Any) -> requests.Response:
        token = self._token() if callable(self._token) else self._token
        headers = {"Content-Type": content_type, "Connect-Protocol-Version": "1", **options.pop("headers", {})}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        try:
            return self._session.post(
                f"{self._base_url}/{method}",
                data=body,
                headers=headers,
                timeout=timeout,
                allow_redirects=False,
                auth=_no_netrc,
                **options,
            )
        except requests.Timeout as error:
            raise ApiError("deadline_exceeded", f"no answer from {self._base_url} within {timeout:.1f} seconds") from error
        except requests.RequestException as error:
            raise ApiError("unavailable", f"{self._base_url} can't be reached: {error}") from error

    def _attempt(self, method: str, request: Mapping[str, Any], left: float) -> Any:
        if left <= 0:
            raise ApiError("deadline_exceeded", "the time for the call has passed")
        headers = {"Connect-Timeout-Ms": str(max(1, int(left * 1000)))}
        response = self._post(method, json.dumps(request).encode(), "application/json", left, headers=headers)
        is_json = response.headers.get("Content-Type", "").partition(";")[0].strip() == "application/json"
        content = _parsed(response.content) if is_json else None
        if response.status_code == 200 and isinstance(content, dict):
            return content
        raise error_of(response.status_code, content, _retry_after(response))

    def _stream(self, method: str, messages: Iterable[Mapping[str, Any]], timeout: float | None) -> Iterator[Any]:
        limit = self._timeout if timeout is None else timeout
        body = (_enveloped(json.dumps(message).encode()) for message in messages)
        with self._post(method, body, "application/connect+json", limit, stream=True) as response:
            if response.status_code != 200:
                raise error_of(response.status_code, _parsed(response.content), _retry_after(response))
            try:
                yield from _messages(response)
            except requests.RequestException as error:
                raise ApiError("unavailable", f"the stream has broken: {error}") from error


def _no_netrc(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps the Authorization header. Otherwise, requests would replace it with an entry in ~/.netrc."""
    return request


def _enveloped(content: bytes) -> bytes:
    return b"\0" + len(content).to_bytes(4, "big") + content


def _messages(response: requests.Response) -> Iterator[Any]:
    """Reads envelopes as they arrive: a flag, four bytes of length, and JSON."""
    buffer = b""
    for chunk in response.iter_content(None):
        buffer += chunk
        while len(buffer) >= 5:
            size = int.from_bytes(buffer[1:5], "big")
            if size > _LARGEST_MESSAGE:
                raise ApiError("internal", f"the service announces a message of {size} bytes")
            if len(buffer) < 5 + size:
                break
            flags, content, buffer = buffer[0], _parsed(buffer[5 : 5 + size]), buffer[5 + size :]
            if flags & _LAST:
                if isinstance(content, dict) and "error" in content:
                    raise error_of(200, content["error"], None)
                return
            yield content
    raise ApiError("unavailable", "the stream has ended before its last message")


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _retry_after(response: requests.Response) -> float | None:
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else None


def encode_bytes(content: bytes) -> str:
    """Encodes bytes for a JSON field, for example the chunks of ``upload_asset``."""
    return base64.b64encode(content).decode()
