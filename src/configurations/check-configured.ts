import { type Db, run } from "../db/run.js";
import { hasAccess } from "../learners/access.js";

/** What is configured in a context, and whether the learner who asks may know. */
export interface Configured {
  readonly hasAccess: boolean;
  /** Names of the credential types, by configuration id. */
  readonly credentialTypes: readonly string[];
}

const configuredStatement = `
  with asked (username, learning_context_key) as (values (?::text, ?::text))
  select
    ${hasAccess} as "hasAccess",
    array(
      select type.name
      from credential_configurations configuration
      join credential_types type on type.id = configuration.credential_type_id
      where configuration.learning_context_key = asked.learning_context_key
      order by configuration.id
    ) as "credentialTypes"
  from asked`;

/** Reads which credentials are configured in a context, in one statement. */
export async function checkConfigured(
  db: Db,
  asked: { username: string; learningContextKey: string },
): Promise<Configured> {
  const { rows } = await run<Configured>(db, "configured", configuredStatement, [
    asked.username,
    asked.learningContextKey,
  ]);
  return rows[0] as Configured;
}
