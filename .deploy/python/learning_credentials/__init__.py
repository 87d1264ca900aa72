"""A client of the Learning Credentials Service. See .docs/first-credential-from-python.md."""

from .api import Client
from .errors import ApiError
from .transport import encode_bytes

__all__ = ["ApiError", "Client", "encode_bytes"]
