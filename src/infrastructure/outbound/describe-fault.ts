import { AddressRefusal } from "./guard.js";

const UNTRUSTED =
  "its certificate chain is not complete, or its authority is not trusted (NODE_EXTRA_CA_CERTS adds authorities)";

/** Descriptions of errors by Node's error code. */
const faults: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  CERT_REVOKED: "its certificate was revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  EPROTO: "it does not support TLS, or only old versions",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not support TLS, or only old versions",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed without a response",
  EPIPE: "the connection was closed without a response",
  EHOSTUNREACH: "its host can't be reached",
  ENETUNREACH: "its network can't be reached",
  ETIMEDOUT: "connecting took too long",
};

/** Describes a connection error in the words of this service, because other messages may contain personal data. */
export function describeFault(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (error instanceof AddressRefusal) return error.message;
  if (error instanceof AggregateError) return describeFault(error.errors[0]);
  if (code.startsWith("HPE_")) return "its response is not HTTP";
  return (
    faults[code] ??
    (/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `the connection failed (${code})` : "the connection failed")
  );
}
