import { createJsonCounter, MAX_JSON_LEVELS } from "#foundation/text/json-counter.js";
import { PullError } from "./pull-error.js";

/**
 * Limits for the size of an answer. Both are checked as it arrives, so an answer that is too large is not read to its
 * end.
 */
export interface AnswerBounds {
  /** Size after decompression. */
  readonly mebibytes: number;
  /** Number of opening braces, brackets and commas, which is about the number of values after parsing. */
  readonly values: number;
}

/** A page of a list, or one object. The largest pages are those of a gradebook, about 2 MB. */
export const PAGE: AnswerBounds = { mebibytes: 16, values: 500_000 };

/** A list that the platform does not page: 100,000 enrolments, or 10,000 courses. */
export const WHOLE_LIST: AnswerBounds = { mebibytes: 32, values: 1_000_000 };

/** For tokens, which have about 2 KB. */
export const SMALL: AnswerBounds = { mebibytes: 0.25, values: 1_000 };

const MEBIBYTE = 1024 * 1024;

/**
 * Reads the text of an answer within the limits.
 * @param endpoint its name in errors
 * @throws PullError `excessive` naming the endpoint and the limit
 */
export async function readBounded(
  { body, headers }: Response,
  endpoint: string,
  { mebibytes, values }: AnswerBounds,
): Promise<string> {
  if (!body) return "";
  const bytes = mebibytes * MEBIBYTE;
  const tooLong = () => excessive(endpoint, `${mebibytes} MiB`);
  if (Number(headers.get("content-length") ?? 0) > bytes) {
    await body.cancel();
    throw tooLong();
  }
  const decoder = new TextDecoder("utf-8");
  const count = createJsonCounter();
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytes) throw tooLong();
    const seen = count(chunk);
    if (seen.values > values) throw excessive(endpoint, `${values} values`);
    if (seen.levels > MAX_JSON_LEVELS) throw excessive(endpoint, `${MAX_JSON_LEVELS} levels`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

function excessive(endpoint: string, bound: string): PullError {
  const text =
    `${endpoint}: the response has more than ${bound}, the most allowed, and was not read completely. Check what the ` +
    "platform, or a proxy in front of it, returns there.";
  return new PullError("excessive", text);
}
