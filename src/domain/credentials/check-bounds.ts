import { Problem, quoted } from "#foundation/errors.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { MAX_ID } from "#infrastructure/db/max-id.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { CheckBounds } from "#infrastructure/identity/bounds.js";
import { isWithin, withinSql } from "../learners/organisations.js";
import { noSuchCredential } from "./get-credential.js";
import { belongsToSql } from "./learners-of-organisations.js";
import { isUuid } from "./uuid.js";

type Kind = "credential" | "configuration" | "run" | "learner";

interface Missing {
  readonly kind: Kind;
  readonly name: string;
}

/**
 * The check has its own transaction. Its result is still true when the call writes data, because credentials,
 * configurations and runs never move to another organisation.
 */
export function createBoundsCheck(database: Database): CheckBounds {
  return async (organisations, named, signal) => {
    if (!named.learningContexts.every((key) => isWithin(organisations, key))) {
      throw new Problem(
        "not-found",
        "The learning context was not found, or it does not belong to your organisations.",
      );
    }
    const { learningContexts: _, ...looked } = named;
    if (Object.values(looked).every(({ length }) => length === 0)) return;
    const [missing] = await inSnapshot(database, signal, (transaction) =>
      queryRows<Missing>(transaction, statementFor(organisations), {
        organisations: [...organisations],
        credentials: looked.credentials.map((uuid) => (isUuid(uuid) ? uuid : NO_UUID)),
        configurations: looked.configurations.map((id) => (isId(id) ? id : 0)),
        runs: looked.runs.map((id) => (isUuid(id) ? id : NO_UUID)),
        learners: [...looked.learners],
      }),
    );
    if (missing) throw notFound(missing, looked.configurations);
  };
}

/** Placeholder for invalid names. No credential or run has this UUID. */
const NO_UUID = "00000000-0000-0000-0000-000000000000";

function statementFor(organisations: readonly string[]): string {
  const within = (column: string) => withinSql(column, organisations, ":organisations");
  return `
    select 'credential' as kind, named.uuid::text as name
    from unnest(cast(:credentials as uuid[])) as named (uuid)
    where not exists (
      select from credentials where credentials.uuid = named.uuid and ${within("learning_context_key")}
    )
    union all
    select 'configuration', named.id::text
    from unnest(cast(:configurations as integer[])) as named (id)
    where not exists (
      select from credential_configurations configuration
      where configuration.id = named.id and ${within("learning_context_key")}
    )
    union all
    select 'run', named.id::text
    from unnest(cast(:runs as uuid[])) as named (id)
    where not exists (
      select from issuance_runs run
      join credential_configurations configuration on configuration.id = run.configuration_id
      where run.id = named.id and ${within("learning_context_key")}
    )
    union all
    select 'learner', named.username
    from unnest(cast(:learners as text[])) as named (username)
    where not ${belongsToSql("named.username", organisations)}
    limit 1`;
}

function isId(text: string): boolean {
  const id = Number(text);
  return Number.isInteger(id) && id >= 1 && id <= MAX_ID;
}

function notFound({ kind, name }: Missing, configurations: readonly string[]): Problem {
  switch (kind) {
    case "credential":
      return noSuchCredential();
    case "configuration": {
      const shown = name === "0" ? (configurations.find((id) => !isId(id)) ?? name) : name;
      return new Problem("not-found", `There is no credential configuration ${shown}.`);
    }
    case "run":
      return new Problem("not-found", "Issuance run not found.");
    case "learner":
      return new Problem("not-found", `There is no learner named ${quoted(name)}.`);
  }
}
