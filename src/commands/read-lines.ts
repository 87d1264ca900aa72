import { invalid } from "../errors.js";

/** A line of an input, numbered from 1, without its end. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines of UTF-8.
 * @throws Problem `invalid` naming the line that is longer than `maxBytes` or is not UTF-8
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let rest: Uint8Array = new Uint8Array();

  const decode = (bytes: Uint8Array): Line => {
    number += 1;
    try {
      return { number, text: decoder.decode(bytes).replace(/\r$/, "") };
    } catch (error) {
      throw invalid(`line ${number}: it is not UTF-8.`, error);
    }
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield decode(
        rest.length > 0 ? Buffer.concat([rest, chunk.subarray(start, end)]) : chunk.subarray(start, end),
      );
      rest = new Uint8Array();
      start = end + 1;
    }
    if (start < chunk.length) rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length > maxBytes) throw invalid(`line ${number + 1}: it is longer than ${maxBytes} bytes.`);
  }
  if (rest.length > 0) yield decode(rest);
}
