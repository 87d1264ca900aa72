import type pg from "pg";
import { COURSE_KEY } from "../big-course.js";
import { eligibleSql } from "./eligible-sql.js";

/** How many eligible learners there are of each outcome. */
export type Outcomes = Readonly<Record<"ready" | "has_credential" | "no_full_name", number>>;

/** Selects by hand who would be issued a credential with 65 % in the exam and 70 % in total, and why others not. */
export async function planBySql(sql: pg.Client, configurationId: number): Promise<Outcomes> {
  const { rows } = await sql.query<[string, string, keyof Outcomes]>({
    text: `
      select eligible.username, eligible.full_name,
        case when credential.id is not null then 'has_credential' when eligible.full_name = '' then 'no_full_name' else 'ready' end
      from (${eligibleSql({ exam: 65, total: 70 })}) eligible
      left join credentials credential on credential.username = eligible.username
        and credential.configuration_id = $2 and credential.status <> 'invalidated'
      order by eligible.username`,
    values: [COURSE_KEY, configurationId],
    rowMode: "array",
  });
  const outcomes = { ready: 0, has_credential: 0, no_full_name: 0 };
  for (const [, , outcome] of rows) outcomes[outcome]++;
  return outcomes;
}
