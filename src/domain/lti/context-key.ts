import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { execute, queryRow } from "#infrastructure/db/query.js";
import { coursePattern, keyPartFrom, MAX_KEY_LENGTH } from "../learners/learning-context-key.js";
import { organisationOf } from "../learners/organisations.js";
import type { LaunchClaims } from "./claims.js";
import type { Registration } from "./registration.js";
import { makeScoresDue } from "./score-store.js";

/** A course as a platform names it in a launch. */
export type LaunchedContext = NonNullable<LaunchClaims["context"]>;

/** Characters of the hash that keeps courses with the same label apart. */
const HASH_LENGTH = 12;

/**
 * Returns the key of a course of a platform.
 *
 * - What was decided before stays, while the platform may speak for the organisation.
 * - A platform whose connector reads it: the connector's key.
 * - A course that the platform itself calls by a key, as Open edX does: that key.
 * - Else its label and a hash of its id, in the platform's first organisation.
 * @returns undefined if its connector does not know the course yet, or if the key names an organisation that the
 *   platform may not speak for
 */
export async function contextKeyOf(
  db: Knex,
  registration: Registration,
  deploymentId: string,
  context: LaunchedContext,
  canvasCourseId: string | undefined,
): Promise<string | undefined> {
  const { organisations, connector, issuer } = registration;
  const { id, label } = context;
  const known = await queryRow<{ contextKey: string }>(
    db,
    `select context_key as "contextKey" from lti_contexts
     where registration_id = ? and deployment_id = ? and context_id = ?`,
    [registration.id, deploymentId, id],
  );
  const isOurs = (key: string) => organisations.includes(organisationOf(key));
  if (known && (connector !== "" || isOurs(known.contextKey))) return known.contextKey;
  // Its label is what a course team writes.
  const named = isCourseKey(id) ? id : undefined;
  if (connector !== "") {
    const read = await queryRow<{ contextKey: string }>(
      db,
      `select context_key as "contextKey" from connector_contexts
       where connector = :connector and context_key like 'course-v1:%'
         and (external_id = :id or context_key = :named) limit 1`,
      { connector, id: canvasCourseId ?? id, named: named ?? null },
    );
    return read?.contextKey;
  }
  if (named !== undefined) return isOurs(named) ? named : undefined;
  const [organisation] = organisations;
  if (organisation === undefined) return undefined;
  const hash = createHash("sha256").update(`${issuer}\n${id}`).digest("hex").slice(0, HASH_LENGTH);
  return `course-v1:${organisation}+${keyPartFrom(label ?? "course")}+${hash}`;
}

function isCourseKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && coursePattern.test(text);
}

/** After a list of members was tried, a teacher's launch has it read again no earlier than this, in minutes. */
const ROSTER_PAUSE_MIN = 10;

/** Keeps a course with its key. Its list of members is read soon if it is new, or if a teacher was launched. */
export async function storeContext(db: Knex, context: StoredContext): Promise<void> {
  const before = await queryRow<{ lineItemsUrl: string }>(
    db,
    `select line_items_url as "lineItemsUrl" from lti_contexts
     where registration_id = :registrationId and deployment_id = :deploymentId and context_id = :contextId`,
    { ...context },
  );
  await execute(
    db,
    `insert into lti_contexts as known
       (registration_id, deployment_id, context_id, context_key, title, memberships_url, line_items_url,
        roster_due_at)
     values (:registrationId, :deploymentId, :contextId, :contextKey, :title, :membershipsUrl, :lineItemsUrl, now())
     on conflict (registration_id, deployment_id, context_id) do update
       set last_launch_at = now(), context_key = excluded.context_key, title = excluded.title,
         memberships_url = coalesce(nullif(excluded.memberships_url, ''), known.memberships_url),
         line_items_url = coalesce(nullif(excluded.line_items_url, ''), known.line_items_url),
         roster_due_at = case when :isTeacher
           then least(known.roster_due_at,
             greatest(now(), known.roster_tried_at + interval '${ROSTER_PAUSE_MIN} minutes'))
           else known.roster_due_at end`,
    { ...context },
  );
  // Credentials from before the platform has permitted columns.
  if (context.lineItemsUrl !== "" && (before?.lineItemsUrl ?? "") === "") await makeScoresDue(db, context);
}

/** A course of a platform. */
export interface StoredContext {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly contextId: string;
  readonly contextKey: string;
  readonly title: string;
  /** Where the platform lists its members; empty: it does not */
  readonly membershipsUrl: string;
  /** Where columns of its grade book are made; empty: the platform does not permit it */
  readonly lineItemsUrl: string;
  /** Whether a teacher was launched. */
  readonly isTeacher: boolean;
}
