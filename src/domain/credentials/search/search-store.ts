import type { Query } from "#infrastructure/db/database.js";
import { type Knex, queryRows, queryValue, queryValues } from "#infrastructure/db/query.js";
import { insideWords } from "../../learners/learner-query.js";
import { withinRanges } from "../../learners/organisations.js";
import { rareWordsFirst, SAMPLE } from "../../learners/rare-words.js";
import type { Credential } from "../credential.js";
import { listedColumns } from "../credential-columns.js";
import { indexedStatus, leadingColumns } from "../leading-columns.js";
import {
  type CredentialSearch,
  isFound,
  SEARCH_STATUS,
  SEARCH_STATUSES,
  type SearchStatus,
  searchStatusSql,
  storedStatusOf,
} from "./credential-search.js";

/** Number of newest rows that are read before an index is used. */
const WINDOW = 10_000;

/** Counting stops at this number. */
const MAX_COUNT = 10_000;

/**
 * Searches for credentials with an id less than `beforeId`, newest first. Compares the query with the beginnings of
 * words. If no credential matches, searches for text within words of learners.
 */
export async function searchCredentials(
  db: Knex,
  search: CredentialSearch,
  beforeId: number,
  limit: number,
): Promise<Credential[]> {
  const found = await searchByPage(db, search, beforeId, limit);
  const inside = found.length === 0 ? await unlessWordsBegin(db, search) : undefined;
  return inside ? searchByPage(db, inside, beforeId, limit) : found;
}

/**
 * Returns the same search, but for text inside words. Returns `undefined` if the text is too short for that, or if a
 * credential of any status has a word that starts with the text.
 */
async function unlessWordsBegin(db: Knex, search: CredentialSearch): Promise<CredentialSearch | undefined> {
  const query = insideWords(search.query);
  if (!query) return undefined;
  const anyStatus = { ...search, filter: { ...search.filter, statuses: [] } };
  const found = await searchByPage(db, anyStatus, Number.MAX_SAFE_INTEGER, 1);
  return found.length === 0 ? { ...search, query } : undefined;
}

/**
 * Frequent words are found quickly among the newest rows, and rare words through their index. Postgres can't tell them
 * apart, because it expects every word prefix to be frequent. Therefore, the newest rows are read first, and the index
 * is used only if they don't fill the page. If a small sample of the newest rows shows that the words are rare, only
 * the index is used.
 */
async function searchByPage(
  db: Knex,
  search: CredentialSearch,
  beforeId: number,
  limit: number,
): Promise<Credential[]> {
  if (search.query.kind === "nothing") return [];
  const from = await startOf(db, search, beforeId);
  for (const window of windowsOf(search)) {
    const latest = await searchLatest(db, search, from, { limit, window });
    if (latest.length === limit) return latest;
    if (latest.length * (WINDOW / window) < limit) break;
  }
  return searchAll(db, search, from, limit);
}

/** Returns how many of the newest rows to read, first in a sample and then in full. */
function windowsOf({ query, filter }: CredentialSearch): readonly number[] {
  if (filter.username !== "" || filter.needsReview) return [];
  if (query.kind === "everything") return [WINDOW];
  return query.kind === "words" ? [SAMPLE, WINDOW] : [];
}

/**
 * Returns an id greater than that of every match. A search for an organisation or a type begins at the newest credential
 * of its configurations, which skips newer credentials that can't match.
 */
async function startOf(db: Knex, { filter }: CredentialSearch, beforeId: number): Promise<number> {
  const { organisations, credentialTypeId } = filter;
  if (organisations === undefined && credentialTypeId === 0) return beforeId;
  const within = withinRanges("learning_context_key", organisations);
  const after = await queryValue<number>(
    db,
    `select coalesce(max(latest), 0) + 1 as after from (
       select (
         select id from credentials
         where (configuration_id, id) < (configuration.id, ?) and configuration_id >= configuration.id
         order by configuration_id desc, id desc limit 1
       ) as latest
       from credential_configurations configuration
       where (? = 0 or credential_type_id = ?) and ${within.sql}
     ) as configured`,
    [beforeId, credentialTypeId, credentialTypeId, ...within.bindings],
  );
  return Math.min(beforeId, after);
}

async function searchLatest(
  db: Knex,
  search: CredentialSearch,
  beforeId: number,
  { limit, window }: { readonly limit: number; readonly window: number },
): Promise<Credential[]> {
  const found = isFound(search);
  const { filter } = search;
  const stored = filter.statuses.map((status) => storedStatusOf[status]);
  const indexed = leadingColumns({ ...filter, statuses: stored });
  const byIssuer = filter.issuedBy !== "" && Object.keys(indexed).length === 0;
  const leading = byIssuer ? { issued_by: filter.issuedBy } : indexed;
  const names = [...Object.keys(leading), "id"];
  const values = Object.values(leading);
  const marks = (count: number) => Array(count).fill("?").join(", ");
  const ordered = names.map((name) => `${name} desc`).join(", ");
  return queryRows<Credential>(
    db,
    `select ${listedColumns} from (
       select * from credentials
       where (${names.join(", ")}) < (${marks(names.length)})
         ${values.length > 0 ? `and (${Object.keys(leading)}) >= (${marks(values.length)})` : ""}
         ${indexed.status === undefined ? "" : `and ${indexedStatus[indexed.status]}`}
       order by ${ordered} limit ${window}
     ) as credentials
     where ${found.sql} order by ${ordered} limit ?`,
    [...values, beforeId, ...values, ...found.bindings, limit],
  );
}

async function searchAll(
  db: Knex,
  search: CredentialSearch,
  beforeId: number,
  limit: number,
): Promise<Credential[]> {
  const found = await soughtInIndexes(db, search, beforeId);
  return queryRows<Credential>(
    db,
    `with found as materialized (select id from credentials where id < ? and ${found.sql})
     select ${listedColumns} from credentials
     where id in (select id from found order by id desc limit ?) order by id desc`,
    [beforeId, ...found.bindings, limit],
  );
}

/** Returns the condition of the search in a form that uses the indexes. */
function soughtInIndexes(db: Knex, { query, filter }: CredentialSearch, beforeId: number): Promise<Query> {
  const latest = `select search_words from credentials where id < ? order by id desc limit ${SAMPLE}`;
  return rareWordsFirst(db, query, { sql: latest, bindings: [beforeId] }, (query) =>
    isFound({ query, filter }),
  );
}

/** Number of matches with a status, at most `MAX_COUNT`. If `isAtLeast`, there may be more matches. */
interface StatusCount {
  readonly status: SearchStatus;
  readonly count: number;
  readonly isAtLeast: boolean;
}

/**
 * Counts matches by status: in one query if there are few, otherwise each status up to the limit. For a frequent word,
 * the index would yield a million rows. Therefore, common statuses are counted among the newest rows, up to the limit,
 * and rare statuses are counted by reading all their rows.
 */
export async function countCredentials(db: Knex, search: CredentialSearch): Promise<StatusCount[]> {
  const counts = await countAll(db, search);
  const inside = counts.every(({ count }) => count === 0) ? await unlessWordsBegin(db, search) : undefined;
  return inside ? countAll(db, inside) : counts;
}

async function countAll(db: Knex, search: CredentialSearch): Promise<StatusCount[]> {
  const { statuses } = search.filter;
  const requested = SEARCH_STATUSES.filter((status) => statuses.length === 0 || statuses.includes(status));
  if (search.query.kind === "nothing") return requested.map(none);
  const common = await commonStatuses(db, search);
  const counted =
    common.length === 0
      ? await countRare(db, search, requested)
      : await countCommon(db, search, { requested, common });
  return requested.map((status) => counted.find((each) => each.status === status) ?? none(status));
}

function none(status: SearchStatus): StatusCount {
  return { status, count: 0, isAtLeast: false };
}

/** Number of newest rows to sample. A status is common if a quarter of the sampled rows have it. */
const COMMON_SAMPLE = 200;

async function commonStatuses(db: Knex, search: CredentialSearch): Promise<SearchStatus[]> {
  const { kind } = search.query;
  if (kind !== "words" && kind !== "everything") return [];
  const found = isFound(search);
  return queryValues<SearchStatus>(
    db,
    `select status from (
       select ${SEARCH_STATUS} as status from (select * from credentials order by id desc limit ${COMMON_SAMPLE}) as credentials
       where ${found.sql}
     ) as found
     group by status having count(*) >= ${COMMON_SAMPLE / 4}`,
    found.bindings,
  );
}

/** Counts credentials by status. Leaves out statuses without matches. */
async function countRare(
  db: Knex,
  search: CredentialSearch,
  requested: readonly SearchStatus[],
): Promise<StatusCount[]> {
  const found = await soughtInIndexes(db, search, Number.MAX_SAFE_INTEGER);
  const counted = await queryRows<StatusCount>(
    db,
    `select status, count(*) as count, false as "isAtLeast"
     from (select ${SEARCH_STATUS} as status from credentials where ${found.sql} limit ${MAX_COUNT + 1}) as found
     group by status`,
    found.bindings,
  );
  const isAll = counted.reduce((sum, { count }) => sum + count, 0) <= MAX_COUNT;
  return isAll ? counted : countEach(db, found, requested);
}

async function countCommon(
  db: Knex,
  search: CredentialSearch,
  { requested, common }: Readonly<Record<"requested" | "common", readonly SearchStatus[]>>,
): Promise<StatusCount[]> {
  const statusCounts: StatusCount[] = [];
  for (const status of common) {
    if (await areManyOfLatest(db, search, status))
      statusCounts.push({ status, count: MAX_COUNT, isAtLeast: true });
  }
  const others = requested.filter((status) => !common.includes(status));
  statusCounts.push(...(await countFew(db, search, others)));
  const rest = requested.filter((status) => !statusCounts.some((each) => each.status === status));
  return [...statusCounts, ...(await countEach(db, isFound(search), rest))];
}

/**
 * Returns whether more than `MAX_COUNT` of the newest rows match. Reads four times as many rows, because at least a
 * quarter of them should match.
 */
async function areManyOfLatest(db: Knex, search: CredentialSearch, status: SearchStatus): Promise<boolean> {
  const found = isFound(search);
  const count = await queryValue<number>(
    db,
    `select count(*) as count from (
       select from (select * from credentials order by id desc limit ${4 * MAX_COUNT}) as credentials
       where ${found.sql} and ${searchStatusSql[status]} limit ${MAX_COUNT + 1}
     ) as found`,
    found.bindings,
  );
  return count > MAX_COUNT;
}

/** Reads all rows with these rare statuses. Leaves out statuses with more rows than the limit. */
async function countFew(
  db: Knex,
  { query, filter }: CredentialSearch,
  statuses: readonly SearchStatus[],
): Promise<StatusCount[]> {
  if (query.kind !== "words" || statuses.length === 0) return [];
  const { sql, bindings } = isFound({ query: { kind: "everything" }, filter });
  const counts = statuses.map(
    (status) => `select '${status}' as status, false as "isAtLeast",
        count(*) filter (where search_words @@ ?::tsquery) as count, count(*) as read
      from (
        select search_words from credentials where ${sql} and ${searchStatusSql[status]} limit ${MAX_COUNT + 1}
      ) as few`,
  );
  const rows = await queryRows<StatusCount & { read: number }>(
    db,
    counts.join(" union all "),
    statuses.flatMap(() => [query.words, ...bindings]),
  );
  return rows.filter(({ read }) => read <= MAX_COUNT);
}

/** @param found the condition of the search */
async function countEach(
  db: Knex,
  { sql, bindings }: Query,
  statuses: readonly SearchStatus[],
): Promise<StatusCount[]> {
  if (statuses.length === 0) return [];
  const counts = statuses.map(
    (status) => `select '${status}' as status, count(*) as count
      from (select from credentials where ${sql} and ${searchStatusSql[status]} limit ${MAX_COUNT + 1}) as found`,
  );
  const rows = await queryRows<Pick<StatusCount, "status" | "count">>(
    db,
    counts.join(" union all "),
    statuses.flatMap(() => bindings),
  );
  return rows.map(({ status, count }) => ({
    status,
    count: Math.min(count, MAX_COUNT),
    isAtLeast: count > MAX_COUNT,
  }));
}
