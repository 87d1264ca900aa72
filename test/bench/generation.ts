import { setTimeout as sleep } from "node:timers/promises";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import { copy } from "./baselines/copy.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "./big-course.js";
import { configure, issue } from "./credentials.js";
import { rate } from "./rate.js";
import { startService } from "./service.js";
import type { Stage } from "./stage.js";

const POLL_MS = 20;

/**
 * Issues credentials, and starts a service that generates all of them again as often as requested.
 * @param settings in addition to the settings of every service in the bench
 */
export async function startGenerating(stage: Stage, settings: Readonly<Record<string, string>> = {}) {
  const { sql, isShort } = stage;
  const documents = isShort ? 300 : 4000;
  await copy(sql, tablesOf(documents));
  await issue(sql, await configure(sql, COURSE_KEY, requiredGrades), documents);
  await sql.query("vacuum analyze");
  const { pid, httpPort } = await startService(stage, undefined, true, settings);
  const make = () =>
    rate(stage, pid, documents, async () => {
      await generate(stage, documents);
      await untilIdle(stage);
    });
  return { documents, make, httpPort };
}

/** Resets this many available credentials to generating, and enqueues their jobs. */
export async function generate({ sql }: Stage, documents: number): Promise<void> {
  await sql.query(
    `with begun as (
       update credentials set status = 'generating', attempt = 0, file_key = null, file_sha256 = null, file_size = null,
         badge_key = null
       where id in (select id from credentials where status = 'available' order by id desc limit $1)
       returning id, uuid
     ), unsealed as (
       delete from credential_seals where credential_uuid in (select uuid from begun)
     ), unsent as (
       delete from credential_mails where credential_uuid in (select uuid from begun)
     )
     ${enqueueEach("generate_credential", "select json_build_object('credentialId', id) as payload from begun")}`,
    [documents],
  );
}

/** Returns the number of credentials that are still generating. */
export async function generating({ sql }: Stage): Promise<number> {
  const { rows } = await sql.query(
    "select count(*)::int as left from credentials where status = 'generating'",
  );
  return rows[0].left;
}

/** Waits until no job is left, including those that send emails. */
export async function untilIdle({ sql }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await sql.query("select exists (select from jobs) as waits");
    if (!rows[0].waits) return;
    await sleep(POLL_MS);
  }
}
