import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const PAGE = 1000;

/**
 * Prints a line for each item. Waits whenever the reader of the output is slower.
 * @param readPage returns at most `limit` items after the item with this id
 */
export function printPages<Item extends { readonly id: number }>(
  readPage: (afterId: number, limit: number) => Promise<readonly Item[]>,
  lineOf: (item: Item) => string,
): Promise<void> {
  async function* lines(): AsyncIterable<string> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: readonly Item[] = await readPage(after, PAGE);
      for (const item of page) yield `${lineOf(item)}\n`;
      after = page.length < PAGE ? undefined : page.at(-1)?.id;
    }
  }
  return pipeline(Readable.from(lines()), process.stdout, { end: false });
}
