import type pg from "pg";
import { COURSE_KEY } from "../big-course.js";
import { eligibleSql } from "./eligible-sql.js";

/** Issues by hand to all learners with 30 % in the exam and in total: only the credentials, without events or jobs. */
export async function issueBySql(sql: pg.Client, configurationId: number): Promise<void> {
  await sql.query(
    `insert into credentials (
       username, user_full_name, configuration_id, run_id, status, issued_by, learning_context_key, learning_context_name,
       credential_type, generation_func, options, assets, print_settings, created_at
     )
     select
       username, full_name, configuration.id, $3, 'generating', 'bench', configuration.learning_context_key, 'A big course',
       type.name, type.generation_func, type.custom_options, '{}', $4, date_trunc('second', now())
     from (${eligibleSql({ exam: 30, total: 30 })}) eligible
     join credential_configurations configuration on configuration.id = $2
     join credential_types type on type.id = configuration.credential_type_id
     on conflict (username, configuration_id) where status <> 'invalidated' and renewed_at is null do nothing`,
    [COURSE_KEY, configurationId, "00000000-0000-4000-8000-000000000000", printSettings],
  );
}

/** The print settings that the service stores with a credential. */
const printSettings = {
  nameUppercase: false,
  dateUppercase: false,
  dateCharSpace: 0,
  dateFormat: "%B %-d, %Y",
  timeZone: "UTC",
  language: "en",
  platformName: "Learning Credentials",
};
