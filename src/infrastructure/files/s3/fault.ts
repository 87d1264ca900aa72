import { InvalidBucketNameError, S3Error } from "minio";

const REFUSED =
  "access is denied: check that S3_BUCKET is right, and that S3_ACCESS_KEY and S3_SECRET_KEY may list that bucket, " +
  "and get, put and delete its objects; if there is no such bucket, create it, or allow the keys to create it";
const MISSING = "there is no such bucket: create it, or correct S3_BUCKET";
const OTHER_REGION = "the bucket is in another region: set S3_REGION, and S3_ENDPOINT if it names a region";
/** S3 gives no reason in responses to HEAD, because they have no body. */
const UNEXPLAINED = "it rejects the request without a reason: check that S3_REGION and S3_ENDPOINT are right";
const IN_HOST_NAME =
  "it requires the bucket in the host name: set S3_PATH_STYLE to False, and keep S3_ENDPOINT without the bucket";
const UNREACHABLE = "it can't be reached from this machine: check that it is running, or correct S3_ENDPOINT";
const UNTRUSTED =
  "its certificate is not trusted: replace it, or name its authority's file in NODE_EXTRA_CA_CERTS";

const TOO_SKEWED = "RequestTimeTooSkewed";

/** What to do, by error code of S3, of the network, or of TLS. */
const remedies: Record<string, string> = {
  AccessDenied: REFUSED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  NoSuchBucket: MISSING,
  NotFound: MISSING,
  AuthorizationHeaderMalformed: OTHER_REGION,
  IllegalLocationConstraintException: OTHER_REGION,
  MovedPermanently: OTHER_REGION,
  PermanentRedirect: OTHER_REGION,
  SecondLevelDomainForbidden: IN_HOST_NAME,
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EPIPE: UNREACHABLE,
  EPROTO: "it does not support TLS: correct S3_ENDPOINT, perhaps to http://",
  CERT_HAS_EXPIRED: "its certificate has expired: renew it",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host name: correct S3_ENDPOINT, or replace the certificate",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** S3's temporary errors: slow requests, and data that was damaged in transit. */
const TEMPORARY_CODES = new Set([
  "BadDigest",
  "IncompleteBody",
  "OperationAborted",
  "RequestTimeout",
  "XAmzContentSHA256Mismatch",
]);

/**
 * Returns whether a retry may help. A retry can't help if S3 has refused the request, or the bucket's name is not
 * valid.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof InvalidBucketNameError) return false;
  return !(error instanceof S3Error) || TEMPORARY_CODES.has(error.code ?? "");
}

/**
 * Difference between the clocks that may be the reason for a refusal. S3 rejects requests whose time is off by 15
 * minutes.
 */
const MAX_SKEW_MS = 10 * 60_000;

/** The local time and the store's time, at the store's last response. */
export interface Clocks {
  readonly here: Date;
  readonly there: Date;
}

/**
 * Returns whether the store has permanently refused, which means that the settings are wrong. If the clocks differ, a
 * refusal is not due to the settings.
 */
export function isRefusal(error: unknown, clocks: Clocks | undefined): boolean {
  if (error instanceof InvalidBucketNameError) return true;
  if (!(error instanceof S3Error) || differ(error.code, clocks)) return false;
  return [REFUSED, MISSING, OTHER_REGION, IN_HOST_NAME].includes(remedies[error.code ?? ""] ?? "");
}

/**
 * Returns whether the clocks may be the reason for a refusal. Many S3 implementations report a request with a wrong
 * time only as not allowed.
 */
function differ(code: string | undefined, clocks: Clocks | undefined): boolean {
  if (!clocks || remedies[code ?? ""] !== REFUSED) return code === TOO_SKEWED;
  return Math.abs(clocks.here.getTime() - clocks.there.getTime()) > MAX_SKEW_MS;
}

/** Ignores the error that an object does not exist. The error for a missing bucket has a different code. */
export function unlessNoSuchKey(error: unknown): undefined {
  if (!(error instanceof S3Error) || error.code !== "NoSuchKey") throw error;
}

/** Describes a fault to the operator: the bucket, and what to fix. */
export function describeS3Fault(
  at: { bucket: string; endpoint: string },
  error: unknown,
  clocks?: Clocks,
): Error {
  const { code = "", message } = error as { code?: string; message: string };
  const reason = differ(code, clocks)
    ? describeClocks(clocks)
    : (remedies[code] ?? (`${code} ${message}`.trim() || UNEXPLAINED));
  return new Error(`The bucket ${at.bucket} at ${at.endpoint} can't be used: ${reason}`, { cause: error });
}

function describeClocks(clocks: Clocks | undefined): string {
  if (!clocks) return "the clocks of this machine and of the store differ: correct the one that is wrong";
  const [here, there] = [clocks.here, clocks.there].map((time) => time.toISOString());
  return `the clocks differ: it is ${here} on this machine and ${there} at the store; correct the one that is wrong`;
}
