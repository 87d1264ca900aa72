import { createHash } from "node:crypto";
import { type Problem, wrongField } from "#foundation/errors.js";

const DEFAULT_SIZE = 100;
const MAX_SIZE = 1000;

/** Where a page of a list starts, and how many rows to read for it. */
interface PageRequest {
  /** The last id of the previous page; 0 for the first page. */
  readonly afterId: number;
  /** The page size plus one. If this many rows exist, there is another page. */
  readonly limit: number;
}

/**
 * Reads one page of rows according to `page_size` and `page_token`.
 * @param list identifies the list and its filter; a token is valid only for the same values
 * @returns the rows, and the token of the next page; the token is empty on the last page
 * @throws Problem `invalid` if the size is negative, or the token belongs to another list or filter
 */
export function readPage<Row extends { readonly id: number }>(
  request: PageKey,
  list: readonly unknown[],
  read: (page: PageRequest) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  return readPageById(request, list, ({ id }: Row) => id, read);
}

/** Like `readPage`, for rows whose id is not in the property `id`. */
export async function readPageById<Row>(
  request: PageKey,
  list: readonly unknown[],
  idOf: (row: Row) => number,
  read: (page: PageRequest) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const { afterKey, limit } = parsePageByKey(request, list);
  const afterId = Number(afterKey);
  if (!Number.isSafeInteger(afterId) || afterId < 0) throw notOfThisList();
  return pageByKeyOf(await read({ afterId, limit }), { limit }, list, (row) => String(idOf(row)));
}

/** Like `readPage`, for a list in memory. */
export async function pageOf<Row>(
  request: PageKey,
  list: readonly unknown[],
  rows: readonly Row[],
): Promise<Page<Row>> {
  const { shown, nextPageToken } = await readPage(request, list, async ({ afterId, limit }) =>
    rows.map((row, index) => ({ row, id: index + 1 })).slice(afterId, afterId + limit),
  );
  return { shown: shown.map(({ row }) => row), nextPageToken };
}

/** Like `PageRequest`, for a list that is sorted by a text key, in byte order. */
interface PageByKeyRequest {
  /** The last key of the previous page; empty for the first page. */
  readonly afterKey: string;
  readonly limit: number;
}

/**
 * Reads `page_size` and `page_token` of a list that is sorted by a text key. Throws the same errors as `readPage`.
 * @param max maximum page size
 */
export function parsePageByKey(
  { pageSize, pageToken }: PageKey,
  list: readonly unknown[],
  max = MAX_SIZE,
): PageByKeyRequest {
  if (pageSize < 0)
    throw wrongField(
      "page_size",
      `is ${pageSize}; it must be 1 to ${max}, or 0 for the default, ${DEFAULT_SIZE}.`,
    );
  return {
    afterKey: pageToken === "" ? "" : keyIn(pageToken, list),
    limit: Math.min(pageSize || DEFAULT_SIZE, max) + 1,
  };
}

/**
 * Returns a page of a list that is sorted by a text key.
 * @param rows the rows after the previous page, up to `limit`
 */
export function pageByKeyOf<Row>(
  rows: readonly Row[],
  { limit }: Pick<PageByKeyRequest, "limit">,
  list: readonly unknown[],
  keyOf: (row: Row) => string,
): Page<Row> {
  const shown = rows.slice(0, limit - 1);
  const last = shown.at(-1);
  if (last === undefined || rows.length < limit) return { shown, nextPageToken: "" };
  return { shown, nextPageToken: `${digest(list)}.${Buffer.from(keyOf(last)).toString("base64url")}` };
}

interface PageKey {
  readonly pageSize: number;
  readonly pageToken: string;
}

interface Page<Row> {
  readonly shown: readonly Row[];
  readonly nextPageToken: string;
}

function keyIn(token: string, list: readonly unknown[]): string {
  const [, made, key = ""] = /^([\w-]+)\.([\w-]{1,1400})$/.exec(token) ?? [];
  const afterKey = Buffer.from(key, "base64url").toString();
  if (made !== digest(list) || /\p{Cc}/u.test(afterKey)) throw notOfThisList();
  return afterKey;
}

function notOfThisList(): Problem {
  return wrongField(
    "page_token",
    "is not a token of this list: pass next_page_token unchanged, with the same filter.",
  );
}

function digest(list: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("base64url").slice(0, 11);
}
