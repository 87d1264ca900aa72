import { rowsOf } from "../../support/database.js";
import type { TestService } from "../../support/service.js";

/** What the service's metrics tell of its replica. */
export async function answersOf({ app }: TestService) {
  const text = await app.metrics.text();
  const value = (series: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`learning_credentials_${series} `))
        ?.split(" ")[1],
    );
  return {
    replica: value('replica_answers_total{from="replica"}'),
    primary: value('replica_answers_total{from="primary"}'),
    staleness: value("replica_staleness_seconds"),
  };
}

/** Has a standby replay commits only when they are so old. */
export async function delayReplay(standbyUrl: string, delay: string): Promise<void> {
  await rowsOf(standbyUrl, `alter system set recovery_min_apply_delay = '${delay}'`);
  await rowsOf(standbyUrl, "select pg_reload_conf()");
}
