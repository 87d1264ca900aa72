import { failedPrecondition } from "#foundation/errors.js";

const MAX_ORIGIN = 255;

/** Returns the path of a log, with a trailing slash. */
export function logPath(id: number): string {
  return id === 1 ? "/log/" : `/log/${id}/`;
}

/**
 * Returns the name of a log, which is its address without the scheme.
 * @throws Problem `failed-precondition` if it is too long
 */
export function logOrigin(publicUrl: string, id: number): string {
  const origin = `${publicUrl.replace(/^https?:\/\//, "")}${logPath(id).slice(0, -1)}`.replaceAll("+", "%2B");
  if (origin.length <= MAX_ORIGIN) return origin;
  throw failedPrecondition(
    `PUBLIC_URL is too long: the name of the log, ${origin}, would have ${origin.length} characters; at most ${MAX_ORIGIN} are allowed.`,
  );
}

/** Path at which the service, as a witness, accepts checkpoints of other logs. */
export const WITNESS_PATH = "/witness/add-checkpoint";

/** Returns the name of the service as a witness, which is its submission prefix without the scheme. */
export function witnessName(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, "")}/witness`.replaceAll("+", "%2B");
}
