import { counted } from "#foundation/text/counted.js";
import { queryRow } from "#infrastructure/db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

/**
 * Checks that transactions wait for a standby if there is one. Otherwise, a failure of the primary would lose changes
 * that no standby has received. Connections whose state the database role isn't allowed to see are counted as standbys.
 */
export async function* checkReplication({ database }: DoctorDeps): AsyncGenerator<Finding> {
  const unsafe = await queryRow<{ standbys: number }>(
    database.knex,
    `select count(*)::int as standbys from pg_stat_replication
     where coalesce(state, 'streaming') = 'streaming' and current_setting('synchronous_standby_names') = ''
     having count(*) > 0`,
  );
  if (!unsafe) return;
  yield {
    kind: "asynchronous-standbys",
    detail: `synchronous_standby_names is empty, and ${counted(unsafe.standbys, "standby is connected", "standbys are connected")}`,
  };
}
