import { randomUUID } from "node:crypto";
import type pg from "pg";
import { COURSE_KEY, requiredGrades, username } from "./big-course.js";
import type { Stage } from "./stage.js";

export const GRADES = "learning_credentials.processors.retrieve_subsection_grades";
export const GENERATE_PDF = "learning_credentials.generators.generate_pdf_credential";

/**
 * Configures a credential in a context for learners with these grades.
 * @returns the id of the configuration
 */
export async function configure(
  sql: pg.Client,
  learningContextKey: string,
  requiredGrades: Record<string, number>,
): Promise<number> {
  const { rows } = await sql.query<{ id: number }>(
    `with type as (
       insert into credential_types (name, retrieval_func, generation_func, custom_options)
       values (gen_random_uuid(), $2, $3, jsonb_build_object('required_grades', $4::jsonb))
       returning id
     )
     insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
     select $1, id, '{}' from type
     returning id`,
    [learningContextKey, GRADES, GENERATE_PDF, requiredGrades],
  );
  return (rows[0] as { id: number }).id;
}

/** Issues credentials of the configuration to this many learners of the big course. */
export async function issue(sql: pg.Client, configurationId: number, learners: number): Promise<void> {
  await sql.query(
    `insert into credentials (
       username, configuration_id, status, issued_by, user_full_name, learning_context_key, learning_context_name,
       credential_type, generation_func, options, assets, print_settings, created_at, attempt, file_key, file_sha256, file_size, search_words
     )
     select
       username, configuration.id, 'available', 'bench', 'Learner ' || username,
       configuration.learning_context_key, 'A big course', type.name, type.generation_func, '{}', '{}', $3,
       date_trunc('second', now()), 1, gen_random_uuid() || '.pdf', sha256(username::bytea), 20000,
       coalesce((select search_words from learners where learners.username = issued.username), '')
     from unnest($2::text[]) as issued (username)
     join credential_configurations configuration on configuration.id = $1
     join credential_types type on type.id = configuration.credential_type_id`,
    [configurationId, Array.from({ length: learners }, (_, index) => username(index)), printSettings],
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

const ASKED = 20_000;

/** Issues 100,000 credentials. */
export async function issueToVerify({ sql, isShort }: Stage): Promise<void> {
  await issue(sql, await configure(sql, COURSE_KEY, requiredGrades), isShort ? 10_000 : 100_000);
  await sql.query("vacuum analyze");
}

/** Returns random verification UUIDs to request. One in ten is unknown. */
export async function uuidsToVerify({ sql }: Stage): Promise<string[]> {
  const { rows } = await sql.query<{ verify_uuid: string }>(
    "select verify_uuid from credentials where status = 'available' order by random() limit $1",
    [ASKED],
  );
  return rows.map(({ verify_uuid }, index) => (index % 10 === 0 ? randomUUID() : verify_uuid));
}
