import { resolve } from "node:path";
import { Problem } from "../../errors.js";
import { type Database, openDatabase } from "../database.js";
import type { Upkeep } from "../migrate.js";
import type { Supervision } from "./supervision.js";

/** Where the database is, and for how long what happened is kept. */
export interface DatabaseSettings {
  /** undefined: the embedded database is used. */
  readonly databaseUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
  readonly databasePoolSize: number | undefined;
  /** Of the embedded database. */
  readonly dataDir: string;
  readonly eventRetentionDays: number;
  readonly auditRetentionDays: number;
}

/** Has something released when the caller closes, before what was there earlier. */
type Defer = (release: () => Promise<void>) => void;

/** The database as the service uses it, and who changes its tables. */
export interface ConfiguredDatabase {
  readonly database: Database;
  readonly upkeep: Upkeep;
  /** Where the service that runs the embedded database is reached from outside, if another process is that service. */
  readonly publicUrl: string | undefined;
  /** Tells that address to commands that work beside this process. */
  announce(publicUrl: string): Promise<void>;
}

/**
 * Opens the database that the settings name, or the embedded one; what it starts is handed to `defer`.
 * @param embedded as for `openApp`
 * @param supervision has the embedded Postgres started again when it ends, if this process runs it
 */
export async function openConfiguredDatabase(
  settings: DatabaseSettings,
  embedded: "own" | "attach",
  defer: Defer,
  supervision?: Supervision,
): Promise<ConfiguredDatabase> {
  const { url, ownerUrl, publicUrl, announce } = await configuredUrls(settings, embedded, defer, supervision);
  const database = openDatabase(url, settings.databasePoolSize);
  defer(database.close);
  const { eventRetentionDays, auditRetentionDays } = settings;
  return {
    database,
    upkeep: { ownerUrl, removesEvents: eventRetentionDays > 0, removesAudit: auditRetentionDays > 0 },
    publicUrl,
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
  supervision: Supervision | undefined,
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
  const postgres = await startEmbeddedPostgres({ dataDir, supervision });
  defer(postgres.stop);
  return { url: postgres.serviceUrl, ownerUrl: postgres.url, announce: postgres.announce };
}

function noDatabase(dataDir: string): Problem {
  return new Problem(
    "failed-precondition",
    `There is no database in ${resolve(dataDir)}: set DATA_DIR to that of the service, or DATABASE_URL where it has one. ` +
      "`serve` alone makes a database, when it first runs on a directory.",
  );
}
