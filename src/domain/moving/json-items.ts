import { invalid } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";

/** Maximum nesting. Real exports have at most ten levels. */
const MAX_LEVELS = 32;
/** Maximum size of an item. This is enough for a PDF of 3 MiB in base64, with its metadata. */
const MAX_ITEM_BYTES = 5 * 1024 * 1024;
const MAX_ITEMS = 2_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Splits a JSON array into its items while it is being read, so that files of any size can be processed. If the file
 * contains an object instead of an array, the object is the only item.
 * @param name of the file, for errors
 * @throws Problem `invalid` if the file is neither an array nor an object, or an item is too large or too deeply nested
 */
export async function* readJsonItems(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let state: "before" | "items" | "after" = "before";
  let level = 0;
  let isText = false;
  let isEscaped = false;
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  let offset = 0;
  let isComplete = false;

  const wrong = (why: string) => invalid(`${name} ${why}.`);
  const take = (piece: Uint8Array) => {
    if (piece.length === 0) return;
    length += piece.length;
    if (length > MAX_ITEM_BYTES && !isComplete)
      throw wrong(`has more than ${MAX_ITEM_BYTES} bytes in item ${number + 1}`);
    if (length > MAX_WHOLE_BYTES) throw wrong(`has an object of more than ${MAX_WHOLE_BYTES} bytes`);
    pieces.push(Buffer.from(piece));
  };
  const finish = () => {
    const text = Buffer.concat(pieces).toString("utf8").trim();
    pieces = [];
    length = 0;
    if (text === "") return undefined;
    number += 1;
    if (number > MAX_ITEMS) throw wrong(`has more than ${MAX_ITEMS} items: split it`);
    return { number, text };
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++, offset++) {
      const byte = chunk[at] as number;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        continue;
      }
      if (state !== "items") {
        if (byte <= SPACE || (offset < 3 && byte === BYTE_ORDER_MARK[offset])) continue;
        if (state === "after") throw wrong("has data after the end of its JSON");
        if (byte === 0x5b) {
          state = "items";
          start = at + 1;
          continue;
        }
        if (byte !== 0x7b) throw wrong("is not a JSON array or object");
        state = "items";
        isComplete = true;
        start = at;
      }
      if (byte === QUOTE) isText = true;
      else if (byte === 0x7b || byte === 0x5b) {
        level++;
        if (level > MAX_LEVELS) throw wrong(`has more than ${MAX_LEVELS} levels in item ${number + 1}`);
      } else if (byte === 0x7d || byte === 0x5d) {
        level--;
        const isEnd = isComplete ? level === 0 : level < 0;
        if (!isEnd) continue;
        take(chunk.subarray(start, isComplete ? at + 1 : at));
        const last = finish();
        if (last) yield last;
        state = "after";
      } else if (byte === COMMA && level === 0) {
        take(chunk.subarray(start, at));
        start = at + 1;
        const next = finish();
        if (next) yield next;
      }
    }
    if (state === "items") take(chunk.subarray(start));
  }
  if (state === "before") throw wrong("is empty");
  if (state === "items") throw wrong("ends in the middle of its JSON");
}

/** Maximum size of an API response that is one object with all items inside. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

export function parseItem(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`It is not JSON: ${shorten((error as Error).message, 200)}.`, error);
  }
}
