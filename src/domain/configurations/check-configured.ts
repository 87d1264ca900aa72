import { arrayOf, createBatchLoader, type LookUp } from "#infrastructure/db/batch-loader.js";
import type { Database } from "#infrastructure/db/database.js";
import { type BorrowedConnection, query } from "#infrastructure/db/query.js";
import { hasAccess } from "../learners/access.js";

interface Configured {
  readonly hasAccess: boolean;
  /** Ordered by configuration id. */
  readonly credentialTypes: readonly string[];
}

type LookUpConfigured = LookUp<{ username: string; learningContextKey: string }, Configured>;

const configuredStatement = `
  select
    ${hasAccess} as "hasAccess",
    array(
      select type.name
      from credential_configurations configuration
      join credential_types type on type.id = configuration.credential_type_id
      where configuration.learning_context_key = requested.learning_context_key
      order by configuration.id
    ) as "credentialTypes"
  from unnest(${arrayOf("text")}, ${arrayOf("text")}) with ordinality as requested (username, learning_context_key, position)
  order by requested.position`;

const MAX_BATCH = 100;

export function createConfiguredLookUp(database: Database): LookUpConfigured {
  return createBatchLoader(database.reads, MAX_BATCH, readConfigured);
}

async function readConfigured(
  connection: BorrowedConnection,
  requested: { username: string; learningContextKey: string }[],
): Promise<Configured[]> {
  const { rows } = await query<Configured>(connection, "configured", configuredStatement, [
    requested.map(({ username }) => username),
    requested.map(({ learningContextKey }) => learningContextKey),
  ]);
  return rows;
}
