import { createHash } from "node:crypto";
import { MAX_NAME } from "#foundation/limits.js";
import { execute, type Knex, queryRow } from "#infrastructure/db/query.js";
import { coursePattern, keyPartFrom } from "../learners/learning-context-key.js";
import { organisationOf } from "../learners/organisations.js";
import type { LaunchClaims } from "./claims.js";
import type { Registration } from "./registration.js";
import { makeScoresDue } from "./score-store.js";

type LaunchedContext = NonNullable<LaunchClaims["context"]>;

/** Length of the hash that distinguishes courses with the same label. */
const HASH_LENGTH = 12;

/**
 * Returns the key of a platform's course:
 * - the key that was chosen earlier, if a connector reads the platform, or if the platform may still use the key's
 *   organisation
 * - the connector's key, if a connector reads the platform
 * - the platform's own id of the course, if it is a course key, as in Open edX
 * - otherwise the label and a hash of the id, in the platform's first organisation
 * @returns undefined if the connector does not know the course yet, or if the platform may not use the organisation in
 * the key
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
  const existing = await queryRow<{ contextKey: string }>(
    db,
    `select context_key as "contextKey" from lti_contexts
     where registration_id = ? and deployment_id = ? and context_id = ?`,
    [registration.id, deploymentId, id],
  );
  const isOurs = (key: string) => organisations.includes(organisationOf(key));
  if (existing && (connector !== "" || isOurs(existing.contextKey))) return existing.contextKey;
  // Only the id is compared with the connector's keys, because the course team writes the label.
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
  return text.length <= MAX_NAME && coursePattern.test(text);
}

/** Minimum number of minutes between attempts to read a list of members after launches by teachers. */
const ROSTER_PAUSE_MIN = 10;

/** Stores a course. Its list of members is due immediately if the course is new, and soon after a teacher's launch. */
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
  // As soon as the platform permits columns, scores of earlier credentials are due, too.
  if (context.lineItemsUrl !== "" && (before?.lineItemsUrl ?? "") === "") await makeScoresDue(db, context);
}

/** A course of a platform, with the addresses of its services. */
export interface StoredContext {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly contextId: string;
  readonly contextKey: string;
  readonly title: string;
  /** URL of the platform's list of members; empty if there is none. */
  readonly membershipsUrl: string;
  /** URL for creating columns in the gradebook; empty if that is not permitted. */
  readonly lineItemsUrl: string;
  /** Whether a teacher started the launch. */
  readonly isTeacher: boolean;
}
