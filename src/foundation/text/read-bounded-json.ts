import { createJsonCounter, MAX_JSON_LEVELS } from "./json-counter.js";
import { readBounded } from "./read-bounded.js";

/** Bounds that hold while an answer arrives: what is too large is not read to its end. */
export interface AnswerBounds {
  /** After decompression. */
  readonly bytes: number;
  /** Opening braces and brackets, and commas: what is parsed has about as many values. */
  readonly values: number;
}

/**
 * Reads the text of an answer within bounds. It need not be JSON, but then only its bytes are limited.
 * @param tooLarge makes the error from the bound, such as `5000 values`
 */
export async function readBoundedJson(
  body: AsyncIterable<Uint8Array> | null,
  { bytes, values }: AnswerBounds,
  tooLarge: (bound: string) => Error,
): Promise<string> {
  const count = createJsonCounter();
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      const seen = count(chunk);
      if (seen.values > values) throw tooLarge(`${values} values`);
      if (seen.levels > MAX_JSON_LEVELS) throw tooLarge(`${MAX_JSON_LEVELS} levels`);
      yield chunk;
    }
  }
  const read = await readBounded(body && counted(body), bytes, () => tooLarge(`${bytes} bytes`));
  return new TextDecoder().decode(read);
}
