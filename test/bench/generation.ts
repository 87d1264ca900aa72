import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./stage.js";

const POLL_MS = 20;

/** Resets this many available credentials to generating, and enqueues their jobs. */
export async function generate({ sql }: Stage, documents: number): Promise<void> {
  await sql.query(
    `with begun as (
       update credentials set status = 'generating', attempt = 0, file_key = null, file_sha256 = null, file_size = null,
         badge_key = null, emailed_at = null
       where id in (select id from credentials where status = 'available' order by id desc limit $1)
       returning id
     )
     select graphile_worker.add_jobs(array(
       select json_populate_record(null::graphile_worker.job_spec, json_build_object(
         'identifier', 'generate_credential', 'payload', json_build_object('credentialId', id), 'max_attempts', 5))
       from begun))`,
    [documents],
  );
}

/** The number of credentials that are still generating. */
export async function generating({ sql }: Stage): Promise<number> {
  const { rows } = await sql.query(
    "select count(*)::int as left from credentials where status = 'generating'",
  );
  return rows[0].left;
}

/** Waits until no job is left, including those that send mails. */
export async function untilIdle({ sql }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await sql.query("select exists (select from graphile_worker._private_jobs) as waits");
    if (!rows[0].waits) return;
    await sleep(POLL_MS);
  }
}
