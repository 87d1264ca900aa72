import { setTimeout as sleep } from "node:timers/promises";
import { enqueueEach } from "../../src/jobs/enqueue.js";
import type { Stage } from "./stage.js";

const POLL_MS = 20;

/** Resets this many available credentials to generating, and enqueues their jobs. */
export async function generate({ sql }: Stage, documents: number): Promise<void> {
  await sql.query(
    `with begun as (
       update credentials set status = 'generating', attempt = 0, file_key = null, file_sha256 = null, file_size = null,
         badge_key = null
       where id in (select id from credentials where status = 'available' order by id desc limit $1)
       returning id, uuid
     ), unsent as (
       delete from credential_mails where credential_uuid in (select uuid from begun)
     )
     ${enqueueEach("generate_credential", "select json_build_object('credentialId', id) as payload from begun")}`,
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
    const { rows } = await sql.query("select exists (select from jobs) as waits");
    if (!rows[0].waits) return;
    await sleep(POLL_MS);
  }
}
