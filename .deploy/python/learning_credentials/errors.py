"""Errors of the service, as exceptions."""

from __future__ import annotations

import base64
from typing import Any


class ApiError(Exception):
    """A call has failed. ``code`` and ``reason`` are for programs: .docs/errors.md lists them."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        details: list[dict[str, Any]] | None = None,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        #: The name of the code in Connect, for example ``not_found``.
        self.code = code
        self.message = message
        #: Error details in the response: ``type``, and ``value`` as protobuf in base64.
        self.details = details or []
        #: HTTP status; None if there was no response.
        self.status = status
        #: Seconds to wait before a retry, if the service states them.
        self.retry_after = retry_after
        info = self._detail("google.rpc.ErrorInfo")
        #: Reason code, for example ``NOT_ELIGIBLE``. Its meaning never changes. Empty if the service stated none.
        self.reason = next((str(value.decode()) for number, value in info if number == 1), "")
        #: The values in the message, by name.
        self.metadata = dict(_pair(value) for number, value in info if number == 3)
        #: What is wrong with each invalid field of the request, by the path of the field.
        self.field_violations = dict(_pair(value) for number, value in self._detail("google.rpc.BadRequest") if number == 1)

    def _detail(self, name: str) -> list[tuple[int, bytes]]:
        for detail in self.details:
            if detail.get("type") == name:
                value = str(detail.get("value", ""))
                return _fields(base64.b64decode(value + "=" * (-len(value) % 4)))
        return []


#: Codes for HTTP statuses of responses from a proxy, which don't contain a Connect code.
_CODES = {400: "internal", 401: "unauthenticated", 403: "permission_denied", 404: "unimplemented", 429: "unavailable"}


def error_of(status: int, content: Any, retry_after: float | None) -> ApiError:
    """Returns the exception for an error response."""
    if isinstance(content, dict) and isinstance(content.get("code"), str):
        code, message = content["code"], str(content.get("message", ""))
        details = [each for each in content.get("details") or [] if isinstance(each, dict)]
    else:
        code = "unavailable" if status in (502, 503, 504) else _CODES.get(status, "unknown")
        message, details = f"HTTP {status}, which isn't an answer of the service: check base_url", []
    return ApiError(code, message, details=details, status=status, retry_after=retry_after)


def _fields(content: bytes) -> list[tuple[int, bytes]]:
    """Returns the text and message fields of a protobuf message. Stops at the first field that can't be read."""
    fields: list[tuple[int, bytes]] = []
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        if key & 7 == 0:
            _, at = _varint(content, at)
        elif key & 7 == 2:
            size, at = _varint(content, at)
            fields.append((key >> 3, content[at : at + size]))
            at += size
        else:
            break
    return fields


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(content):
        byte = content[at]
        value |= (byte & 127) << shift
        shift, at = shift + 7, at + 1
        if byte < 128:
            break
    return value, at


def _pair(content: bytes) -> tuple[str, str]:
    values = dict(_fields(content))
    return values.get(1, b"").decode(errors="replace"), values.get(2, b"").decode(errors="replace")
