/** A line, numbered from 1, without its line end. */
export interface InputLine {
  readonly number: number;
  /** The text of the line, or the part of it that is readable. */
  readonly text: string;
  /** Set if the line is too long or not UTF-8. */
  readonly problem?: string;
}

const NEWLINE = 0x0a;

/** How many bytes of a line that is too long are returned. */
const BEGINNING_BYTES = 1000;

/** Splits bytes into lines of UTF-8 text, each of at most `maxBytes`. The rest of a longer line is discarded. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<InputLine> {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const lenient = new TextDecoder("utf-8");
  let number = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;

  const add = (piece: Uint8Array) => {
    if (length <= maxBytes) pieces.push(piece);
    length += piece.length;
  };
  const finish = (): InputLine => {
    const bytes = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    const isTooLong = length > maxBytes;
    number += 1;
    pieces = [];
    length = 0;
    if (isTooLong) {
      const text = lenient.decode(bytes.subarray(0, BEGINNING_BYTES));
      return { number, text, problem: `it is longer than ${maxBytes} bytes.` };
    }
    try {
      return { number, text: strict.decode(bytes).replace(/\r$/, "") };
    } catch {
      return { number, text: lenient.decode(bytes), problem: "it is not UTF-8." };
    }
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield finish();
}

export async function* filledLines(lines: AsyncIterable<InputLine>): AsyncGenerator<InputLine> {
  for await (const line of lines) {
    if (line.problem !== undefined || line.text.trim() !== "") yield line;
  }
}
