/** Why something could not be read from a platform. */
export type PullFault =
  | "auth" // the platform refuses the credentials: nothing can be read
  | "forbidden" // the service's user may not read this
  | "missing" // the resource or the endpoint does not exist
  | "invalid" // the answer has an unexpected format
  | "excessive" // the answer is larger than allowed
  | "foreign" // the answer leads to another host
  | "clock" // the platform's clock and ours differ by more than a day
  | "unavailable"; // the platform does not respond, even after several attempts

/** A failed read. Its message is logged and stored, so it names no person and contains no secret. */
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
