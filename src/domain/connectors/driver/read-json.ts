import { createJsonCounter, MAX_JSON_LEVELS } from "#foundation/text/json-counter.js";
import { PullError } from "./pull-error.js";

/** Limits for the size of a response, checked while it arrives. */
export interface AnswerBounds {
  /** Size after decompression. */
  readonly mebibytes: number;
  /** Number of opening braces, brackets and commas, which is about the number of parsed values. */
  readonly values: number;
}

/** Limits for a page of a list, or for one object. The largest responses are pages of a gradebook, with about 2 MB. */
export const PAGE: AnswerBounds = { mebibytes: 16, values: 500_000 };

/** Limits for a list that the platform sends in one response, for example 100,000 enrolments or 10,000 courses. */
export const WHOLE_LIST: AnswerBounds = { mebibytes: 32, values: 1_000_000 };

/** Limits for tokens, which take about 2 KB. */
export const SMALL: AnswerBounds = { mebibytes: 0.25, values: 1_000 };

const MEBIBYTE = 1024 * 1024;

/**
 * Reads the text of a response, within limits.
 * @param endpoint name of the endpoint in errors
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
