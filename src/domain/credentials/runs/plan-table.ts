import type { Particulars } from "#formats/rendering/generator.js";
import { statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/database.js";
import { execute, type Knex, queryRowOrThrow, queryRows, queryValue } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { printedNameSql } from "../../learners/printed-name.js";
import { type GivenRow, withGivenFactsSql } from "../given-facts.js";
import { renewEach } from "../renewal/set-renewed.js";
import type { SkippedCounts } from "./issuance-run.js";

const credential = statusSql("credential");

/** Number of learners per batch. If no name in a batch can be printed, checking it blocks the event loop for 0.2 s. */
const BATCH = 1000;

/** An eligible learner who has no credential, or whose credential failed or is due for renewal. */
export interface Candidate {
  readonly username: string;
  readonly userFullName: string;
  readonly particulars: Particulars | null;
  readonly hasFailed: boolean;
  /** Award date from a list, for example `2026-06-30`. */
  readonly awarded: string | null;
}

export async function create(transaction: Knex.Transaction): Promise<void> {
  await execute(
    transaction,
    `create temporary table issuance_plan (
       username text collate "C" not null,
       user_full_name text not null,
       particulars jsonb,
       results jsonb,
       -- Status of the learner's active credential, or else of an invalidated one. Null if the learner has no
       -- credential.
       status text,
       -- \`uuid\` of the learner's credential if this run renews it; otherwise null.
       renews uuid,
       -- Whether the credential is due for renewal, but the learner has not earned it again.
       awaits_results boolean not null,
       -- Award date from the list, as text; null if the list contains none.
       awarded text,
       awarded_at timestamptz
     ) on commit drop`,
  );
}

/**
 * Fills the plan with eligible learners.
 * @param eligible a query for `username`
 * @param facts SQL for the particulars and the results of `eligible.username`
 * @param target.retriedRun only learners whose credential failed in this run
 */
export async function fill(
  transaction: Knex.Transaction,
  eligible: Query,
  facts: { readonly particulars: Query; readonly results: Query },
  target: {
    readonly configurationId: number;
    readonly retriedRun: string | null;
    /** Credentials whose validity ends at or before this time are due for renewal; null if none are due. */
    readonly renewableUntil: Date | null;
    /** A query for learners who have earned a renewal; null if all eligible learners have earned one. */
    readonly earnedAgain: Query | null;
  },
): Promise<void> {
  const { earnedAgain } = target;
  const isEarned = earnedAgain ? "anew.username is not null" : "true";
  await execute(transaction, "truncate issuance_plan");
  await execute(
    transaction,
    `insert into issuance_plan (username, user_full_name, particulars, results, status, renews, awaits_results)
     select eligible.username, ${printedNameSql("learner")}, ${facts.particulars.sql},
       -- Results are not needed for learners who already have a credential.
       case when coalesce(credential.status, invalidated.status) is null or ${credential.isFailed} or (due.uuid is not null and ${isEarned})
         then ${facts.results.sql} end,
       coalesce(credential.status, invalidated.status), case when ${isEarned} then due.uuid end,
       due.uuid is not null and not ${isEarned}
     from (${eligible.sql}) as eligible
     join learners learner on learner.username = eligible.username
     left join credentials credential on credential.username = eligible.username
       and credential.configuration_id = ? and ${credential.isActive}
     left join lateral (
       select credential.uuid where ${credential.isAvailable} and credential.valid_until <= cast(? as timestamptz)
     ) as due on true
     ${earnedAgain ? `left join (${earnedAgain.sql}) as anew on anew.username = eligible.username` : ""}
     left join (
       select distinct username, status from credentials where configuration_id = ? and ${statusSql().isInvalidated}
     ) as invalidated on invalidated.username = eligible.username
     ${target.retriedRun === null ? "" : `where credential.run_id = ? and ${credential.isFailed}`}`,
    [
      ...facts.particulars.bindings,
      ...facts.results.bindings,
      ...eligible.bindings,
      target.configurationId,
      target.renewableUntil,
      ...(earnedAgain?.bindings ?? []),
      target.configurationId,
      ...(target.retriedRun === null ? [] : [target.retriedRun]),
    ],
  );
}

export async function give(transaction: Knex.Transaction, rows: readonly GivenRow[]): Promise<void> {
  if (rows.length === 0) return;
  await execute(
    transaction,
    `update issuance_plan set
       particulars = nullif(${withGivenFactsSql("issuance_plan.particulars", "given.particulars")}, '{}'),
       awarded = given.awarded, awarded_at = given.awarded_at
     from jsonb_to_recordset(?::jsonb)
       as given (username text, particulars jsonb, awarded text, awarded_at timestamptz)
     where given.username = issuance_plan.username`,
    [JSON.stringify(rows)],
  );
}

const { isFailed, isGeneratedOrGenerating, isInvalidated } = statusSql();
const candidates = `issuance_plan where status is null or ${isFailed} or renews is not null`;

/** Removes learners who have no credential under the configuration, because they have not claimed one. */
export function leaveOutUnclaimed(transaction: Knex.Transaction): Promise<number> {
  return execute(transaction, "delete from issuance_plan where status is null");
}

/** Yields learners to whom a credential could be issued, ordered by the bytes of their usernames. */
export async function* readCandidates(transaction: Knex.Transaction): AsyncGenerator<Candidate[]> {
  await execute(transaction, "set local cursor_tuple_fraction = 1"); // the cursor will fetch all rows
  await execute(
    transaction,
    `declare candidates no scroll cursor for
     select username, user_full_name as "userFullName", particulars, awarded, coalesce(${isFailed}, false) as "hasFailed"
     from ${candidates} order by username`,
  );
  const fetch = () => queryRows<Candidate>(transaction, `fetch ${BATCH} from candidates`);
  for (let next = fetch(); ; ) {
    const rows = await next;
    if (rows.length === 0) return;
    next = fetch(); // Postgres fetches the next batch while this one is checked
    next.catch(() => {}); // prevents an unhandled rejection if the reader stops early
    yield rows;
  }
}

export async function removeLearners(
  transaction: Knex.Transaction,
  usernames: readonly string[],
): Promise<void> {
  if (usernames.length === 0) return;
  await execute(transaction, "delete from issuance_plan where username = any (?::text[])", [usernames]);
}

/**
 * Counts three groups of learners: learners with a generating or available credential; learners whose credential is due
 * for renewal, but who lack new results; and learners whose credential was invalidated.
 */
export async function countSkipped(transaction: Knex.Transaction): Promise<CountedSkips> {
  return queryRowOrThrow<CountedSkips>(
    transaction,
    `select
       count(*) filter (where ${isGeneratedOrGenerating} and renews is null and not awaits_results) as has_credential,
       count(*) filter (where awaits_results) as not_earned_anew,
       count(*) filter (where ${isInvalidated}) as withdrawn
     from issuance_plan`,
  );
}

type CountedSkips = Pick<SkippedCounts, "has_credential" | "not_earned_anew" | "withdrawn">;

export function planned(validUntil: Date | null): Query {
  return {
    sql: `select username, user_full_name, particulars, results, renews as replaces, awarded_at,
        ?::timestamptz as valid_until
      from ${candidates} order by username`,
    bindings: [validUntil],
  };
}

/**
 * Marks the credentials that the plan renews as renewed, so that successors can be inserted. Removes learners whose
 * credential was invalidated or renewed in the meantime.
 */
export async function renewPlanned(transaction: Knex.Transaction, renewedBy: Actor): Promise<void> {
  await execute(
    transaction,
    `with ${renewEach("select renews from issuance_plan")}
     delete from issuance_plan
     where renews is not null and not exists (select from renewed where renewed.uuid = renews)`,
    [renewedBy.name, renewedBy.kind],
  );
}

export async function hasRenewals(transaction: Knex.Transaction): Promise<boolean> {
  return queryValue<boolean>(
    transaction,
    `select exists (select from issuance_plan where renews is not null) as "hasRenewals"`,
  );
}
