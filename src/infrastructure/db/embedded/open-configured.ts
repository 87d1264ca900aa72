import { resolve } from "node:path";
import { failedPrecondition, type Problem } from "#foundation/errors.js";
import type { MigrationRoles } from "../migrate.js";
import { openDatabase } from "../open-database.js";

/** Where the database is, and how long history is kept. */
interface DatabaseSettings {
  /** undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  /** URL of the server itself, if `databaseUrl` leads to a pooler that changes sessions. */
  readonly databaseDirectUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
  readonly databasePoolSize: number | undefined;
  /** Data directory of the embedded database. */
  readonly dataDir: string;
  readonly eventRetentionDays: number;
  readonly auditRetentionDays: number;
}

/** Registers a function that releases a resource when the app is closed. The function registered last runs first. */
type Defer = (release: () => Promise<void>) => void;

/**
 * Opens the configured database, or the embedded database.
 * @param embedded as in `openApp`
 */
export async function openConfiguredDatabase(
  settings: DatabaseSettings,
  embedded: "own" | "attach",
  defer: Defer,
  onLost?: (problem: Problem) => void,
) {
  const { url, ownerUrl, publicUrl, announce } = await configuredUrls(settings, embedded, defer, onLost);
  const database = openDatabase(url, settings.databasePoolSize, undefined, settings.databaseDirectUrl);
  defer(database.close);
  const { eventRetentionDays, auditRetentionDays } = settings;
  /** For work under the owner's role, which may change tables. */
  const upkeep: MigrationRoles = {
    ownerUrl,
    removesEvents: eventRetentionDays > 0,
    removesAudit: auditRetentionDays > 0,
  };
  return {
    database,
    upkeep,
    /** Public URL of another process that runs the embedded database. */
    publicUrl,
    /** Publishes the URL of this process to commands on the same database. */
    announce: announce ?? (async () => {}),
  };
}

interface Urls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly announce?: (publicUrl: string) => Promise<void>;
}

async function configuredUrls(
  { databaseUrl, databaseOwnerUrl, dataDir }: DatabaseSettings,
  embedded: "own" | "attach",
  defer: Defer,
  onLost: ((problem: Problem) => void) | undefined,
): Promise<Urls> {
  if (databaseUrl !== undefined) return { url: databaseUrl, ownerUrl: databaseOwnerUrl };
  const { attachToEmbeddedPostgres, hasEmbeddedPostgres, startEmbeddedPostgres } = await import(
    "./postgres.js"
  );
  if (embedded === "attach") {
    const running = await attachToEmbeddedPostgres(dataDir);
    if (running) return { url: running.serviceUrl, ownerUrl: running.url, publicUrl: running.publicUrl };
    if (!(await hasEmbeddedPostgres(dataDir))) throw noDatabase(dataDir);
  }
  const postgres = await startEmbeddedPostgres({ dataDir, onLost });
  defer(postgres.stop);
  return { url: postgres.serviceUrl, ownerUrl: postgres.url, announce: postgres.announce };
}

function noDatabase(dataDir: string): Problem {
  return failedPrecondition(
    `There is no database in ${resolve(dataDir)}: set DATA_DIR, or DATABASE_URL if the service uses one, to the value that the service has. ` +
      "Only `serve` creates a database, when it first runs with a new directory.",
  );
}
