import { S3Error } from "minio";

const REFUSED =
  "access is refused: see that S3_BUCKET is right, and that S3_ACCESS_KEY and S3_SECRET_KEY may list that bucket " +
  "and get, put and delete in it; where it is missing, create it, or let them do so";
const MISSING = "there is no such bucket: create it, or set S3_BUCKET";
const ELSEWHERE = "the bucket is in another region: set S3_REGION, and S3_ENDPOINT if it names a region";
/** As S3 does on HEAD, whose answer has no body. */
const UNEXPLAINED =
  "it refuses the request and gives no reason: see that S3_REGION and S3_ENDPOINT are right";
const UNREACHABLE = "it can't be reached from here: see that it runs, or set S3_ENDPOINT";
const UNTRUSTED =
  "its certificate is not trusted: mend it, or name its authority's file in NODE_EXTRA_CA_CERTS";

/** By code of S3, of the network, or of TLS. */
const remedies: Record<string, string> = {
  AccessDenied: REFUSED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  NoSuchBucket: MISSING,
  NotFound: MISSING,
  AuthorizationHeaderMalformed: ELSEWHERE,
  IllegalLocationConstraintException: ELSEWHERE,
  MovedPermanently: ELSEWHERE,
  PermanentRedirect: ELSEWHERE,
  RequestTimeTooSkewed: "the clocks differ: set this machine's",
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EPROTO: "it does not speak TLS: set S3_ENDPOINT, perhaps to http://",
  CERT_HAS_EXPIRED: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** What S3 answers when it was too slow, or what has arrived is not what was sent. */
const PASSING = new Set([
  "BadDigest",
  "IncompleteBody",
  "OperationAborted",
  "RequestTimeout",
  "XAmzContentSHA256Mismatch",
]);

/** Whether sending again may help: not when S3 has answered and refused. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof S3Error) || PASSING.has(error.code ?? "");
}

/** For what needs not be there. That the bucket is missing is another code. */
export function unlessNoSuchKey(error: unknown): undefined {
  if (!(error instanceof S3Error) || error.code !== "NoSuchKey") throw error;
}

/** Puts a fault into words for the operator: which bucket, and what to mend. */
export function describeS3Fault(at: { bucket: string; endpoint: string }, error: unknown): Error {
  const { code = "", message } = error as { code?: string; message: string };
  const reason = remedies[code] ?? (`${code} ${message}`.trim() || UNEXPLAINED);
  return new Error(`The bucket ${at.bucket} at ${at.endpoint} can't be used: ${reason}`, { cause: error });
}
