import { createHash } from "node:crypto";
import { type Problem, wrongField } from "#foundation/errors.js";

const DEFAULT_SIZE = 100;
const MAX_SIZE = 1000;

/** Where a page of a list starts, and how many rows to read for it. */
export interface PageRequest {
  /** Last id of the previous page; 0 on the first one. */
  readonly afterId: number;
  /** One more than the page shows: an extra row means that there is a next page. */
  readonly limit: number;
}

/**
 * Reads the rows that `page_size` and `page_token` ask for.
 * @param list names the list and its filter: a token is valid for that list only
 * @returns the rows, and the token of the next page, which is empty on the last one
 * @throws Problem `invalid` for a negative size, or a token of another list or filter
 */
export function readPage<Row extends { readonly id: number }>(
  request: PageKey,
  list: readonly unknown[],
  read: (page: PageRequest) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  return readPageById(request, list, ({ id }: Row) => id, read);
}

/** As `readPage`, of rows that are numbered otherwise. */
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

/** As `readPage`, of a list that is in memory. */
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

/** As `PageRequest`, for a list that is ordered by the bytes of a text. */
export interface PageByKeyRequest {
  /** Last key of the previous page; empty on the first one. */
  readonly afterKey: string;
  readonly limit: number;
}

/**
 * Reads `page_size` and `page_token` of a list that is ordered by a text. Errors are those of `parsePage`.
 * @param max the greatest page size
 */
export function parsePageByKey(
  { pageSize, pageToken }: PageKey,
  list: readonly unknown[],
  max = MAX_SIZE,
): PageByKeyRequest {
  if (pageSize < 0)
    throw wrongField("page_size", `is ${pageSize}; it must be 1 to ${MAX_SIZE}, or 0 for ${DEFAULT_SIZE}.`);
  return {
    afterKey: pageToken === "" ? "" : keyIn(pageToken, list),
    limit: Math.min(pageSize || DEFAULT_SIZE, max) + 1,
  };
}

/** As `pageOf`, for a list that is ordered by a text. */
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

/** What a request for a page says about it. */
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
