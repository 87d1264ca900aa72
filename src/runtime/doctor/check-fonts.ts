import type { OptionalScript } from "#formats/rendering/text/optional-fonts.js";
import { statusSql } from "#foundation/credential-status.js";
import { counted } from "#foundation/text/counted.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const { isGeneratedOrGenerating } = statusSql();

interface Count {
  readonly script: string;
  readonly learners: number;
  readonly credentials: number;
}

/**
 * Finds names that need a font that isn't installed. Checks enrolled learners and valid credentials, because both may
 * be rendered. Ignores scripts that an uploaded font covers.
 */
export async function* checkFonts(
  { database }: Pick<DoctorDeps, "database">,
  lacking: readonly OptionalScript[],
): AsyncGenerator<Finding> {
  if (lacking.length === 0) return;
  const rows = await queryRows<Count>(
    database.knex,
    `with scripts as (
       select * from unnest(?::text[], ?::int[], ?::int[], ?::text[]) script (script, first, last, pattern)
       where not exists (
         select from assets join asset_contents using (sha256)
         where characters && int4multirange(int4range(script.first, script.last + 1))
       )
     ), names as materialized (
       select coalesce(corrected_name, full_name) as name, true as is_learners from learners
       where is_active and not is_deleted and coalesce(corrected_name, full_name) ~ '[^\\u0001-\\u06ff]' and exists (
         select from enrollments where username = learners.username and is_active and not enrollments.is_deleted
       )
       union all
       select user_full_name, false from credentials
       where ${isGeneratedOrGenerating} and user_full_name ~ '[^\\u0001-\\u06ff]'
     )
     select script, count(*) filter (where is_learners)::int as learners,
       count(*) filter (where not is_learners)::int as credentials
     from scripts join names on name ~ pattern
     group by script order by script`,
    [
      lacking.map(({ name }) => name),
      lacking.map(({ first }) => first),
      lacking.map(({ last }) => last),
      lacking.map(({ first, last }) => `[${escaped(first)}-${escaped(last)}]`),
    ],
  );
  for (const { script, learners, credentials } of rows) {
    yield {
      kind: "missing-fonts",
      detail: `${script}: the names of ${counted(learners, "enrolled learner")} and ${counted(credentials, "credential")} in force`,
    };
  }
}

/** Writes a character in PostgreSQL's regular expression syntax. */
function escaped(codePoint: number): string {
  return `\\u${codePoint.toString(16).padStart(4, "0")}`;
}
