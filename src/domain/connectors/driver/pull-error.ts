export type PullFault =
  | "auth" // the platform rejects the credentials: nothing can be read
  | "forbidden" // the service user may not read this
  | "missing" // the resource or the endpoint does not exist
  | "invalid" // the response has an unexpected format
  | "excessive" // the response is larger than allowed
  | "foreign" // the response leads to another host
  | "clock" // the platform's clock and ours differ by more than a day
  | "unavailable"; // the platform does not respond, even after several attempts

/**
 * A failure to read from a platform. The message is logged and stored, so it must not name a person or contain a
 * secret.
 */
export class PullError extends Error {
  override readonly name = "PullError";
  /** The platform's own error code. */
  readonly code: string | undefined;

  constructor(
    readonly fault: PullFault,
    message: string,
    readonly status?: number,
    options?: { cause?: unknown; code?: string },
  ) {
    super(message, options);
    this.code = options?.code;
  }
}
