import { type AnswerBounds, readBoundedJson, shownSize } from "#foundation/text/read-bounded-json.js";
import { PullError } from "./pull-error.js";

const MEBIBYTE = 1024 * 1024;

/** Limits for a page of a list, or for one object. The largest responses are pages of a gradebook, with about 2 MB. */
export const PAGE: AnswerBounds = { bytes: 16 * MEBIBYTE, values: 500_000 };

/** Limits for a list that the platform sends in one response, for example 100,000 enrolments or 10,000 courses. */
export const WHOLE_LIST: AnswerBounds = { bytes: 32 * MEBIBYTE, values: 1_000_000 };

/** Limits for tokens, which take about 2 KB. */
export const SMALL: AnswerBounds = { bytes: MEBIBYTE / 4, values: 1_000 };

/**
 * Reads the text of a response, within limits.
 * @param endpoint name of the endpoint in errors
 * @throws PullError `excessive` naming the endpoint and the limit
 */
export async function readBody(
  { body, headers }: Response,
  endpoint: string,
  bounds: AnswerBounds,
): Promise<string> {
  const tooLarge = (bound: string) => excessive(endpoint, bound);
  if (Number(headers.get("content-length") ?? 0) > bounds.bytes) {
    await body?.cancel();
    throw tooLarge(shownSize(bounds.bytes));
  }
  return readBoundedJson(body, bounds, tooLarge);
}

function excessive(endpoint: string, bound: string): PullError {
  const text =
    `${endpoint}: the response has more than ${bound}, the most allowed, and was not read completely. Check what the ` +
    "platform, or a proxy in front of it, returns there.";
  return new PullError("excessive", text);
}
