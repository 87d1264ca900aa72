import type { Knex } from "knex";
import { queryRows, queryValue, queryValues } from "#infrastructure/db/query.js";
import type { Query } from "#infrastructure/db/transaction.js";
import { insideWords } from "../../learners/learner-query.js";
import { withinRanges } from "../../learners/organisations.js";
import { rareWordsFirst, SAMPLE } from "../../learners/rare-words.js";
import type { Credential } from "../credential.js";
import { listedColumns } from "../credential-columns.js";
import { indexedStatus, leadingColumns } from "../leading-columns.js";
import {
  type CredentialSearch,
  type CredentialStanding,
  isFound,
  STANDING,
  STANDINGS,
  standingSql,
  statusOf,
} from "./credential-search.js";

/** Number of newest rows that are read before other indexes are used. */
const WINDOW = 10_000;

/** Maximum count; counting stops here. */
export const MAX_COUNT = 10_000;

/**
 * Searches for credentials with an id less than `beforeId`, newest first. If no word starts with the query, searches
 * for learners with words that contain it.
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

/** Returns a search within words if, in every standing, no credential has a word that starts with the query. */
async function unlessWordsBegin(db: Knex, search: CredentialSearch): Promise<CredentialSearch | undefined> {
  const query = insideWords(search.query);
  if (!query) return undefined;
  const anyStanding = { ...search, filter: { ...search.filter, standings: [] } };
  const found = await searchByPage(db, anyStanding, Number.MAX_SAFE_INTEGER, 1);
  return found.length === 0 ? { ...search, query } : undefined;
}

/**
 * Searches by one condition.
 *
 * Frequent words are found quickly among the newest rows, rare words through their index. The estimates of Postgres
 * can't tell them apart: it expects every word prefix to be frequent. So the newest rows are read first, and the index
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

/** Returns the numbers of newest rows to read, in the order of the attempts. */
function windowsOf({ query, filter }: CredentialSearch): readonly number[] {
  if (filter.username !== "" || filter.needsReview) return [];
  if (query.kind === "everything") return [WINDOW];
  return query.kind === "words" ? [SAMPLE, WINDOW] : [];
}

/**
 * Returns an id greater than the id of every match. Credentials of an organisation or a type may be much older than the
 * newest rows, so the search starts at the newest credential of their configurations.
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
  const statuses = filter.standings.map((standing) => statusOf[standing]);
  const indexed = leadingColumns({ ...filter, statuses });
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

/** The number of credentials with a standing, at most `MAX_COUNT`. */
export interface StandingCount {
  readonly standing: CredentialStanding;
  readonly count: number;
  /** True if there may be more. */
  readonly isAtLeast: boolean;
}

/**
 * Counts the matches of a search by standing: all in one query or, if there are many, each standing up to the limit.
 * For a frequent word, the index would collect a million rows. So the newest rows are read up to the limit and, for
 * rare standings, all rows.
 */
export async function countCredentials(db: Knex, search: CredentialSearch): Promise<StandingCount[]> {
  const counts = await countAll(db, search);
  const inside = counts.every(({ count }) => count === 0) ? await unlessWordsBegin(db, search) : undefined;
  return inside ? countAll(db, inside) : counts;
}

async function countAll(db: Knex, search: CredentialSearch): Promise<StandingCount[]> {
  const { standings } = search.filter;
  const requested = STANDINGS.filter((standing) => standings.length === 0 || standings.includes(standing));
  if (search.query.kind === "nothing") return requested.map(none);
  const common = await commonStandings(db, search);
  const counted =
    common.length === 0
      ? await countRare(db, search, requested)
      : await countCommon(db, search, { asked: requested, common });
  return requested.map((standing) => counted.find((each) => each.standing === standing) ?? none(standing));
}

function none(standing: CredentialStanding): StandingCount {
  return { standing, count: 0, isAtLeast: false };
}

/** Number of newest rows that are sampled. A standing is common if a quarter of them have it. */
const COMMON_SAMPLE = 200;

/** Returns the standings for which at least a quarter of the newest rows match. */
async function commonStandings(db: Knex, search: CredentialSearch): Promise<CredentialStanding[]> {
  const { kind } = search.query;
  if (kind !== "words" && kind !== "everything") return [];
  const found = isFound(search);
  return queryValues<CredentialStanding>(
    db,
    `select standing from (
       select ${STANDING} as standing from (select * from credentials order by id desc limit ${COMMON_SAMPLE}) as credentials
       where ${found.sql}
     ) as found
     group by standing having count(*) >= ${COMMON_SAMPLE / 4}`,
    found.bindings,
  );
}

/** @returns no entry for a standing without matches */
async function countRare(
  db: Knex,
  search: CredentialSearch,
  requested: readonly CredentialStanding[],
): Promise<StandingCount[]> {
  const found = await soughtInIndexes(db, search, Number.MAX_SAFE_INTEGER);
  const counted = await queryRows<StandingCount>(
    db,
    `select standing, count(*) as count, false as "isAtLeast"
     from (select ${STANDING} as standing from credentials where ${found.sql} limit ${MAX_COUNT + 1}) as found
     group by standing`,
    found.bindings,
  );
  const isAll = counted.reduce((sum, { count }) => sum + count, 0) <= MAX_COUNT;
  return isAll ? counted : countEach(db, found, requested);
}

async function countCommon(
  db: Knex,
  search: CredentialSearch,
  { asked: requested, common }: Readonly<Record<"asked" | "common", readonly CredentialStanding[]>>,
): Promise<StandingCount[]> {
  const known: StandingCount[] = [];
  for (const standing of common) {
    if (await areManyOfLatest(db, search, standing))
      known.push({ standing, count: MAX_COUNT, isAtLeast: true });
  }
  const others = requested.filter((standing) => !common.includes(standing));
  known.push(...(await countFew(db, search, others)));
  const rest = requested.filter((standing) => !known.some((each) => each.standing === standing));
  return [...known, ...(await countEach(db, isFound(search), rest))];
}

/**
 * Returns whether more than `MAX_COUNT` of the newest rows match. Reads four times as many rows, enough if a quarter
 * of them match.
 */
async function areManyOfLatest(
  db: Knex,
  search: CredentialSearch,
  standing: CredentialStanding,
): Promise<boolean> {
  const found = isFound(search);
  const count = await queryValue<number>(
    db,
    `select count(*) as count from (
       select from (select * from credentials order by id desc limit ${4 * MAX_COUNT}) as credentials
       where ${found.sql} and ${standingSql[standing]} limit ${MAX_COUNT + 1}
     ) as found`,
    found.bindings,
  );
  return count > MAX_COUNT;
}

/**
 * Reads all rows of rare standings.
 * @returns no entry for a standing with more rows than the limit
 */
async function countFew(
  db: Knex,
  { query, filter }: CredentialSearch,
  standings: readonly CredentialStanding[],
): Promise<StandingCount[]> {
  if (query.kind !== "words" || standings.length === 0) return [];
  const { sql, bindings } = isFound({ query: { kind: "everything" }, filter });
  const counts = standings.map(
    (standing) => `select '${standing}' as standing, false as "isAtLeast",
        count(*) filter (where search_words @@ ?::tsquery) as count, count(*) as read
      from (
        select search_words from credentials where ${sql} and ${standingSql[standing]} limit ${MAX_COUNT + 1}
      ) as few`,
  );
  const rows = await queryRows<StandingCount & { read: number }>(
    db,
    counts.join(" union all "),
    standings.flatMap(() => [query.words, ...bindings]),
  );
  return rows.filter(({ read }) => read <= MAX_COUNT);
}

/** @param found the condition of the search */
async function countEach(
  db: Knex,
  { sql, bindings }: Query,
  standings: readonly CredentialStanding[],
): Promise<StandingCount[]> {
  if (standings.length === 0) return [];
  const counts = standings.map(
    (standing) => `select '${standing}' as standing, count(*) as count
      from (select from credentials where ${sql} and ${standingSql[standing]} limit ${MAX_COUNT + 1}) as found`,
  );
  const rows = await queryRows<Pick<StandingCount, "standing" | "count">>(
    db,
    counts.join(" union all "),
    standings.flatMap(() => bindings),
  );
  return rows.map(({ standing, count }) => ({
    standing,
    count: Math.min(count, MAX_COUNT),
    isAtLeast: count > MAX_COUNT,
  }));
}
