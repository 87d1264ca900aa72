import { truncate } from "#foundation/shorten.js";
import { type Db, execute, type Knex, query, queryRows, queryValue } from "../db/query.js";
import type { AuditCaller, AuditChange, AuditEntry, AuditRecord } from "./audit-entry.js";

/** Maximum length in characters. Valid names and keys are never longer. */
const MAX_LENGTH = 255;

const nameKindByCaller: Record<AuditCaller["kind"], string> = {
  user: "user",
  staff: "user",
  service: "service",
  "command line": "account",
};

/** Appends entries and returns their ids in the same order. The database sets the times. */
export async function appendEntries(db: Db, entries: readonly AuditEntry[]): Promise<number[]> {
  const { rows } = await query<{ id: number }>(
    db,
    "append_audit_entries",
    "select append_audit_entries(?::jsonb) as id",
    [JSON.stringify(entries.map(toRow))],
  );
  return rows.map(({ id }) => id);
}

/** Returns whether the migration that creates the audit trail was applied. */
export async function hasAuditTrail(knex: Knex): Promise<boolean> {
  return queryValue<boolean>(
    knex,
    "select to_regprocedure('append_audit_entries(jsonb)') is not null as there",
  );
}

function toRow(entry: AuditEntry) {
  const { caller } = entry;
  return {
    part_of: entry.firstEntryId,
    caller_kind: caller.kind,
    bearer: nameKindByCaller[caller.kind],
    name: bounded(caller.name),
    issuer: bounded(caller.issuer ?? ""),
    subject: bounded(caller.subject ?? ""),
    method: bounded(entry.method),
    learners: entry.learners.map(bounded),
    objects: entry.others.map(bounded),
    request_id: bounded(entry.requestId),
    source: bounded(entry.source),
    code: entry.code,
  };
}

/** Makes a text valid for the database, because requests are recorded before they are validated. */
function bounded(text: string): string {
  if (text.length <= MAX_LENGTH && text.isWellFormed() && !text.includes("\0")) return text;
  return truncate(text, MAX_LENGTH).toWellFormed().replaceAll("\0", "\ufffd");
}

export interface AuditOutcome {
  readonly entryId: number;
  readonly code: string;
  readonly changes?: readonly AuditChange[];
}

export async function appendOutcomes(knex: Knex, outcomes: readonly AuditOutcome[]): Promise<void> {
  await query(
    knex,
    "append_audit_outcomes",
    "select append_audit_outcomes(?::bigint[], ?::text[], ?::text[])",
    [
      outcomes.map(({ entryId }) => entryId),
      outcomes.map(({ code }) => code),
      outcomes.map(({ changes = [] }) => (changes.length === 0 ? null : JSON.stringify(changes))),
    ],
  );
}

/** Counts the names in the trail (username, issuer and subject) under which this user has made calls. */
export async function countCallers(db: Knex, username: string): Promise<number> {
  return queryValue<number>(db, "select count(*) from audit_names where name = ? and bearer = 'user'", [
    username,
  ]);
}

/** Replaces an erased learner's name with the pseudonym. The transaction must already have recorded the erasure. */
export async function pseudonymise(
  transaction: Knex.Transaction,
  username: string,
  pseudonym: string,
): Promise<void> {
  await execute(transaction, "select pseudonymise_audit_names(?, ?)", [username, pseudonym]);
}

/** Returns the number of removed entries, at most `batch`. */
export async function removeOldest(knex: Knex, days: number, batch: number): Promise<number> {
  const sql = "select remove_old_audit_entries(?, ?) as removed";
  const { rows } = await query<{ removed: number }>(knex, "remove_old_audit_entries", sql, [days, batch]);
  return rows[0]?.removed ?? 0;
}

export interface AuditFilter {
  readonly caller?: string | undefined;
  /** A learner whom the entry is about. */
  readonly username?: string | undefined;
  /** As `kind:value`. */
  readonly object?: string | undefined;
  /** Full name, or the part after its last slash. */
  readonly method?: string | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
  /** Full names of methods to leave out. */
  readonly without?: readonly string[] | undefined;
}

interface AuditPage {
  /** Id of the last entry of the previous page; 0 for the first page. */
  readonly afterId: number;
  readonly limit: number;
  /** Default: oldest first. */
  readonly newestFirst?: boolean;
}

export async function findEntries(
  knex: Knex,
  { caller, username, object, method, since, before, without }: AuditFilter,
  { afterId, limit, newestFirst = false }: AuditPage,
): Promise<AuditRecord[]> {
  const conditions: [sql: string, value: unknown][] = [
    ["caller_id in (select id from audit_names where name = ? and bearer <> 'learner')", caller],
    ["learner_ids && array(select id from audit_names where name = ? and bearer = 'learner')", username],
    [
      "(objects @> array[?] or outcome.changes @> ?::jsonb)",
      object && [object, JSON.stringify([{ object }])],
    ],
    ["? in (method, regexp_replace(method, '^.*/', ''))", method],
    ["entered_at >= ?", since],
    ["entered_at < ?", before],
    ["method <> all (?::text[])", without && [without]],
    [newestFirst ? "entry.id < ?" : "entry.id > ?", newestFirst && afterId === 0 ? undefined : afterId],
  ];
  const set = conditions.filter(([, value]) => value !== undefined);
  return queryRows<AuditRecord>(
    knex,
    `select entry.id, entered_at as "enteredAt", method, objects as others, request_id as "requestId", source,
       json_build_object('kind', caller_kind, 'name', caller.name, 'issuer', caller.issuer, 'subject', caller.subject)
         as caller,
       array(
         select learner.name from unnest(learner_ids) with ordinality as named (id, position)
         join audit_names learner using (id) order by position
       ) as learners,
       coalesce(entry.code, outcome.code) as code,
       case when part_of is null then coalesce(outcome.changes, '[]') else '[]' end as changes
     from audit_entries entry
     join audit_names caller on caller.id = caller_id
     left join audit_outcomes outcome on outcome.entry_id = coalesce(part_of, entry.id)
     where ${["true", ...set.map(([sql]) => sql)].join(" and ")}
     order by entry.id ${newestFirst ? "desc" : "asc"} limit ?`,
    [...set.flatMap(([, value]) => value), limit],
  );
}
