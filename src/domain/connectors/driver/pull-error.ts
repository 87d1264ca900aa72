/** Why something could not be read from a platform. */
export type PullFault =
  | "auth" // the credentials are refused: nothing can be read
  | "forbidden" // this may not be read
  | "missing" // there is no such thing, or no such endpoint
  | "invalid" // the answer is not what was agreed
  | "excessive" // the answer is larger than any that was agreed
  | "foreign" // the answer leads to another host
  | "clock" // its clock or ours is wrong by more than a day
  | "unavailable"; // it does not answer now, also after several attempts

/** A failed read. Its message names no person and holds no secret: it is logged and stored. */
export class PullError extends Error {
  override readonly name = "PullError";
  /** The platform's own word for it. */
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
