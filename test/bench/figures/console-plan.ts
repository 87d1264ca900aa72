import { copy } from "../baselines/copy.js";
import { planBySql } from "../baselines/plan-sql.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "../big-course.js";
import { signIn } from "../console-client.js";
import { configure, issue } from "../credentials.js";
import type { Figure } from "../figure.js";
import { rate } from "../rate.js";
import { startService } from "../service.js";

/** One learner in ten has a credential, and this many have no name. */
const NAMELESS = 12;

interface Plan {
  readonly issueCount: number;
  readonly skipped: { readonly hasCredential?: number; readonly noFullName?: number };
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
    await issue(sql, configurationId, learners / 10);
    await sql.query(
      "update learners set full_name = '' where username in (select username from learners order by md5(username) limit $1)",
      [NAMELESS],
    );
    await sql.query("vacuum analyze");
    const { httpPort, pid } = await startService(stage);
    const { call } = await signIn(stage, httpPort);
    const planned = await planBySql(sql, configurationId);

    return {
      subject: () =>
        rate(stage, pid, learners, async () => {
          const asked = { configurationId, dryRun: true };
          const { plan } = await call<{ plan: Plan }>("CredentialService/StartIssuanceRun", asked);
          const { hasCredential = 0, noFullName = 0 } = plan.skipped;
          if (plan.issueCount !== planned.ready || hasCredential !== planned.has_credential)
            throw new Error(`The plan says ${plan.issueCount} and ${hasCredential}.`);
          if (noFullName !== planned.no_full_name || plan.skippedLearners.length !== noFullName)
            throw new Error(`The plan says that ${noFullName} have no name.`);
        }),
      baseline: () => rate(stage, undefined, learners, () => planBySql(sql, configurationId)),
    };
  },
};
