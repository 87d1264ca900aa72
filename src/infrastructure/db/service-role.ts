import type { Knex } from "knex";
import pg from "pg";
import { failedPrecondition } from "#foundation/errors.js";
import { scramVerifier } from "./scram-verifier.js";

const READ = ["select"];
const CHANGE = ["select", "insert", "update"];
const EVERYTHING = ["select", "insert", "update", "delete"];

/** Privileges of the service per table. The service has no privileges on a table that is not listed. */
const tables: Readonly<Record<string, readonly string[]>> = {
  account_subjects: ["select", "insert", "delete"],
  asset_contents: CHANGE,
  assets: EVERYTHING,
  audit_entries: READ,
  audit_names: READ,
  audit_outcomes: READ,
  automatic_configurations: EVERYTHING,
  badge_secret: READ,
  brand_logos: ["select", "insert"],
  brands: EVERYTHING,
  completions: EVERYTHING,
  connector_clashes: EVERYTHING,
  connector_contexts: EVERYTHING,
  connector_enrollments: EVERYTHING,
  connector_hint_failures: EVERYTHING,
  connector_hints: EVERYTHING,
  connector_pauses: EVERYTHING,
  connector_people: EVERYTHING,
  connector_stages: EVERYTHING,
  connector_streams: EVERYTHING,
  connector_subsections: EVERYTHING,
  connector_sweeps: EVERYTHING,
  course_grades: EVERYTHING,
  console_links: EVERYTHING,
  console_sessions: EVERYTHING,
  courses: CHANGE,
  credential_aliases: ["select", "insert", "delete"],
  credential_configurations: EVERYTHING,
  // Other columns may not be set: the database adds the seed and the commitment that hide actors' names in the chain.
  credential_event_actors: ["select", "insert (name, kind)"],
  credential_event_anchors: READ,
  credential_event_head: READ,
  credential_events: READ,
  credential_mails: CHANGE,
  credential_reviews: ["select", "insert", "delete"],
  credential_schedules: EVERYTHING,
  credential_seals: ["select", "insert", "delete"],
  credential_types: EVERYTHING,
  credentials: CHANGE,
  daily_figures: CHANGE,
  daily_figures_head: ["select", "update"],
  database_functions: READ,
  enrollments: EVERYTHING,
  erased_learners: CHANGE,
  erasure_key: READ,
  issuance_run_failures: EVERYTHING,
  issuance_runs: CHANGE,
  // Keys may not be deleted: a key that has ever signed stays published.
  issuer_keys: ["select", "insert (fragment, jwk, organisation)", "update (revoked_at, revocation_reason)"],
  jobs: EVERYTHING,
  knex_migrations: READ,
  knex_migrations_lock: READ,
  learners: EVERYTHING,
  learning_paths: CHANGE,
  log_checkpoints: ["select", "insert"],
  log_cosignatures: ["select", "insert"],
  log_timestamps: ["select", "insert"],
  lti_columns: EVERYTHING,
  lti_contexts: EVERYTHING,
  lti_deployments: EVERYTHING,
  lti_invitations: EVERYTHING,
  lti_keys: EVERYTHING,
  lti_nonces_used: EVERYTHING,
  lti_people: EVERYTHING,
  lti_registrations: EVERYTHING,
  lti_score_cursor: EVERYTHING,
  lti_scores: EVERYTHING,
  lti_teachers: EVERYTHING,
  mail_texts: EVERYTHING,
  one_roster_ids: EVERYTHING,
  operations: EVERYTHING,
  preview_links: ["select", "insert", "delete"],
  requirement_links: EVERYTHING,
  result_hints: EVERYTHING,
  revisions: ["select", "insert", "delete", "update (saved_by)"],
  staff_grants: EVERYTHING,
  stored_settings: EVERYTHING,
  subsection_grades: EVERYTHING,
  transparency_logs: ["select", "insert", "update (after_position)"],
  undrawable_designs: EVERYTHING,
  // The time may not be set: the database sets it.
  unsealed_credential_events: [
    "select",
    "insert (type, credential_uuid, configuration_id, actor_id, status_before, status_after, remarks, commitment)",
  ],
  wallet_nonces_used: ["select", "insert", "delete"],
  wallet_offers: EVERYTHING,
  webhook_attempts: ["select", "insert", "delete"],
  webhook_endpoints: EVERYTHING,
  witnessed_logs: CHANGE,
};

/** Functions that run with the owner's rights, and that not everyone may call. */
const functions = [
  "append_audit_entries(jsonb)",
  "append_audit_outcomes(bigint[], text[], text[])",
  "erase_credential_event_actor(text, text)",
  "pseudonymise_audit_names(text, text)",
  "seal_credential_events(integer)",
];

export interface ServiceDuties {
  /** Whether events are only kept for a limited time. Otherwise, the role may not delete events. */
  readonly removesEvents: boolean;
  /** Whether audit entries are only kept for a limited time. Otherwise, the role may not delete audit entries. */
  readonly removesAudit: boolean;
}

function functionsFor({ removesEvents, removesAudit }: ServiceDuties): string[] {
  return [
    ...functions,
    ...(removesEvents ? ["remove_old_credential_events(integer, integer)"] : []),
    ...(removesAudit ? ["remove_old_audit_entries(integer, integer)"] : []),
  ];
}

/**
 * Returns whether the role of this connection has all privileges of the service. Missing tables are ignored, because a
 * newer version may have removed them.
 */
export async function mayServe(db: Knex, duties: ServiceDuties): Promise<boolean> {
  const needed = Object.entries(tables).flatMap(([table, grants]) =>
    grants.flatMap((grant) => privilegesIn(table, grant)),
  );
  const { rows } = await db.raw(
    `select coalesce(bool_and(is_granted), true) as "mayServe" from (
       select case when needed.of is null then has_table_privilege(to_regclass(needed.in), needed.to)
         else has_column_privilege(to_regclass(needed.in), attnum, needed.to) end as is_granted
       from json_to_recordset(?::json) as needed ("to" text, "in" text, "of" text)
       left join pg_attribute on attrelid = to_regclass(needed.in) and attname = needed.of and not attisdropped
       union all
       select has_function_privilege(to_regprocedure(called), 'execute') from unnest(?::text[]) as called
     ) as checked`,
    [JSON.stringify(needed), functionsFor(duties)],
  );
  return rows[0].mayServe;
}

function privilegesIn(table: string, grant: string): { to: string; in: string; of?: string }[] {
  const [, to = "", columns] = /^(\w+)(?: \((.*)\))?$/.exec(grant) ?? [];
  return columns === undefined
    ? [{ to, in: table }]
    : columns.split(", ").map((of) => ({ to, in: table, of }));
}

/** Grants a role the service's privileges, and revokes all others in this schema. Must run as the owner. */
export async function grantService(
  transaction: Knex.Transaction,
  role: string,
  duties: ServiceDuties,
): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const { rows } = await transaction.raw(
    `select quote_ident(nspname) as schema, has_schema_privilege(?::text, oid, 'usage') as "isOpen"
     from pg_namespace where nspname = current_schema()`,
    [role],
  );
  const [{ schema, isOpen }] = rows as [{ schema: string; isOpen: boolean }];
  const statements = [
    ...["tables", "sequences", "routines"].map(
      (kind) => `revoke all on all ${kind} in schema ${schema} from ${name}`,
    ),
    ...(isOpen ? [] : [`grant usage on schema ${schema} to ${name}`]),
    `grant usage on all sequences in schema ${schema} to ${name}`,
    ...Object.entries(tables).map(([table, grants]) => `grant ${grants.join(", ")} on ${table} to ${name}`),
    ...functionsFor(duties).map((called) => `grant execute on function ${called} to ${name}`),
  ];
  await transaction.raw(statements.join(";\n"));
}

/** Returns the roles besides the owner that may issue credentials in this database. */
export async function findServiceRoles(db: Knex): Promise<string[]> {
  const { rows } = await db.raw(
    `select distinct role.rolname as name
     from pg_class as relation, aclexplode(relation.relacl) as granted
     join pg_roles as role on role.oid = granted.grantee
     where relation.oid = 'credentials'::regclass
       and granted.privilege_type = 'INSERT' and granted.grantee <> relation.relowner
     order by 1`,
  );
  return rows.map(({ name }: { name: string }) => name);
}

/**
 * Creates the service's role if it does not exist. An existing role keeps its password.
 * @returns true if the role was created
 * @throws Problem `failed-precondition` if the owner may not create the role, or if the role has at least the owner's
 *   rights
 */
export async function makeServiceRole(
  db: Knex,
  { user, password }: { readonly user: string; readonly password: string | null },
): Promise<boolean> {
  const { rows } = await db.raw(
    `select current_user as owner,
       (select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
          or pg_has_role(oid, (select relowner from pg_class where oid = 'credentials'::regclass), 'member')
        from pg_roles where rolname = ?) as "isSuperuser"`,
    [user],
  );
  const { owner, isSuperuser } = rows[0] as { owner: string; isSuperuser: boolean | null };
  if (isSuperuser) {
    throw failedPrecondition(
      `DATABASE_URL names the role ${user}, which has the owner's rights or more: name another role, and it will be created.`,
    );
  }
  if (isSuperuser === false) return false;
  const secret = password === null ? "" : ` password ${pg.escapeLiteral(scramVerifier(password))}`;
  await db.raw(`create role ${pg.escapeIdentifier(user)} login${secret}`).catch((cause) => {
    if (cause.code !== "42501") throw cause;
    throw failedPrecondition(
      `The role ${user} does not exist, and ${owner} is not permitted to create it: have an administrator run ` +
        `"create role ${user} login password '…'", then run this again.`,
      { cause },
    );
  });
  return true;
}
