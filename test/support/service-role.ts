import { randomBytes } from "node:crypto";
import type { QueryResult } from "pg";
import pg from "pg";
import type { Database } from "#infrastructure/db/database.js";
import { migrateAndGrant } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";

/** A role with the rights of a service that does not own its tables. */
export interface ServiceRole {
  /** Runs statements as this role. */
  query(sql: string): Promise<QueryResult>;
  drop(): Promise<void>;
}

/**
 * Creates a role as `migrate up` does. The role's name is unique to the run, because all databases of a server share
 * their roles.
 */
export async function createServiceRole(owner: Database): Promise<ServiceRole> {
  const role = `service_${randomBytes(8).toString("hex")}`;
  const url = new URL(owner.url);
  url.username = role;
  url.password = "secret";
  const service = openDatabase(url.href, 2);
  await migrateAndGrant(service, { ownerUrl: owner.url, removesEvents: true, removesAudit: true });
  await service.close();
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  return {
    query: (sql) => pool.query(sql),
    async drop() {
      await pool.end();
      await owner.knex.raw(`drop owned by ${role}; drop role ${role}`);
    },
  };
}
