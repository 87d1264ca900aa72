import { isDeepStrictEqual } from "node:util";
import { copy } from "../baselines/copy.js";
import { planBySql } from "../baselines/plan-sql.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "../big-course.js";
import { consoleClient, signIn } from "../console-client.js";
import { configure, issue } from "../credentials.js";
import type { Figure } from "../figure.js";
import { rate } from "../rate.js";
import { startService } from "../service.js";

/** This many learners have no name. */
const NAMELESS = 12;

interface Plan {
  readonly issueCount: number;
  readonly skipped: readonly { readonly reason: string; readonly count: number }[];
  readonly skippedLearners: readonly unknown[];
}

export const consolePlan: Figure = {
  name: "console-plan",
  subject:
    "the plan of a run as the console asks it: 100,000 learners, who is passed over and why, with its hash",
  baseline: "the same question as one SQL statement written by hand",
  unit: "learners/s",
  reach: 1 / 3,

  async prepare(stage) {
    const { sql, isShort } = stage;
    const learners = isShort ? 10_000 : 100_000;
    await copy(sql, tablesOf(learners));
    const configurationId = await configure(sql, COURSE_KEY, requiredGrades);
    await issue(sql, configurationId, learners / 10); // one in ten has a credential already
    await sql.query(
      "update learners set full_name = '' where username in (select username from learners order by md5(username) limit $1)",
      [NAMELESS],
    );
    await sql.query("vacuum analyze");
    const { httpPort, pid } = await startService(stage);
    const { call } = consoleClient(httpPort, await signIn(stage, httpPort));
    const planned = await planBySql(sql, configurationId);

    return {
      subject: () =>
        rate(stage, pid, learners, async () => {
          const asked = { configurationId, dryRun: true };
          const { plan } = await call<{ plan: Plan }>("CredentialService/StartIssuanceRun", asked);
          const skipped = (reason: string) =>
            plan.skipped.find((each) => each.reason === `SKIP_REASON_${reason}`)?.count;
          const told = {
            ready: plan.issueCount,
            has_credential: skipped("HAS_CREDENTIAL"),
            no_full_name: skipped("NO_FULL_NAME"),
          };
          if (!isDeepStrictEqual(told, planned) || plan.skippedLearners.length !== told.no_full_name)
            throw new Error(`The plan says ${JSON.stringify(told)}, not ${JSON.stringify(planned)}.`);
        }),
      baseline: () => rate(stage, undefined, learners, () => planBySql(sql, configurationId)),
    };
  },
};
