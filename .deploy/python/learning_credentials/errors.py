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
        #: As Connect names it, such as ``not_found``.
        self.code = code
        self.message = message
        #: As the service sent them: ``type``, and ``value`` in base64 (protobuf).
        self.details = details or []
        #: Of HTTP; None: there was no answer.
        self.status = status
        #: Seconds to wait before another attempt, if the service says so.
        self.retry_after = retry_after
        info = self._detail("google.rpc.ErrorInfo")
        #: Why, in one word that never changes its meaning, such as ``NOT_ELIGIBLE``. Empty: the service gave none.
        self.reason = next((str(value.decode()) for number, value in info if number == 1), "")
        #: The values that the message names.
        self.metadata = dict(_pair(value) for number, value in info if number == 3)
        #: What is wrong with which field of the request, by its path.
        self.field_violations = dict(_pair(value) for number, value in self._detail("google.rpc.BadRequest") if number == 1)

    def _detail(self, name: str) -> list[tuple[int, bytes]]:
        for detail in self.details:
            if detail.get("type") == name:
                value = str(detail.get("value", ""))
                return _fields(base64.b64decode(value + "=" * (-len(value) % 4)))
        return []


#: What a proxy answers, which doesn't know Connect.
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
    """Reads a protobuf message of which only texts and messages matter. What can't be read ends it."""
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
