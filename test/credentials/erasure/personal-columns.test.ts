import { expect, test } from "vitest";
import { personalColumns } from "#domain/credentials/erasure/personal-columns.js";
import { accountTables } from "#domain/learners/connector-accounts.js";
import { learnerTables } from "#domain/learners/record-tables.js";
import { givenDatabase } from "../../support/database.js";

/** Columns whose type could hold a name, but which identify nobody. */
const impersonal: Record<string, string> = {
  console_links: "secret_hash roles organisations lti_deployment_id",
  console_sessions: "token_hash roles organisations lti_deployment_id",
  connector_clashes: "connector differs",
  connector_contexts: "connector context_key external_id display_name fresh_for",
  connector_enrollments: "connector context_key",
  connector_hint_failures: "connector reason",
  connector_hints: "connector course_key",
  connector_pauses: "connector reason",
  connector_people: "connector",
  connector_stages: "stage scope state cursor error",
  connector_streams: "connector stream last_id",
  connector_subsections: "connector course_key usage_key assignment_type",
  connector_sweeps: "connector state cause reason tally",
  one_roster_ids: "organisation kind facts",
  lti_contexts: "deployment_id context_id context_key title memberships_url roster_problem line_items_url",
  lti_columns: "deployment_id context_id line_item_url",
  lti_scores: "deployment_id context_id problem",
  lti_teachers: "deployment_id context_id",
  lti_deployments: "deployment_id state frame_origins",
  lti_invitations: "secret_hash",
  lti_keys: "kid public_jwk sealed_key",
  lti_nonces_used: "nonce_hash",
  lti_registrations:
    "issuer client_id state name authorization_url token_url token_audience jwks_url organisations teacher_role connector rosters",
  wallet_nonces_used: "nonce_hash",
  wallet_offers: "code_hash token_hash tx_code_hash",
  // Courses, paths, types and designs, as entered by staff.
  courses: "course_key display_name assignment_types weights letter_grades search_words",
  learning_paths: "path_key display_name step_course_keys category search_words",
  credential_types: "name retrieval_func generation_func custom_options",
  credential_configurations: "learning_context_key custom_options claim",
  requirement_links: "context_key",
  result_hints: "context_key",
  revisions: "saved_by_kind name retrieval_func generation_func custom_options claim",
  credential_schedules: "cron time_zone last_error set_by_kind",
  assets: "slug sha256",
  daily_figures: "kind",
  brands: "organisation name accent_color logo contact imprint_url",
  brand_logos: "sha256",
  mail_texts: "organisation kind language subject heading introduction",
  asset_contents: "sha256 kind file_key characters",
  credentials:
    "status learning_context_key learning_context_name credential_type generation_func options assets print_settings original_issuer platform badge_key skips_email",
  issuance_runs: "state skips_email",
  credential_mails: "kind refusal state",
  credential_seals: "sealer",
  // Codes, hashes, and ids of objects whose names are in other tables.
  credential_events: "hash type status_before status_after commitment remarks",
  unsealed_credential_events: "type status_before status_after commitment remarks",
  credential_event_head: "hash",
  credential_event_anchors: "hash",
  credential_event_actors: "kind commitment",
  audit_names: "bearer",
  audit_entries: "caller_kind method learner_ids objects request_id source code",
  audit_outcomes: "code changes",
  operations: "kind connector options state progress result error",
  erasure_key: "key",
  // Addresses of programs, and of their operators.
  webhook_endpoints: "url description event_types state state_reason contact",
  // These show a sample learner.
  preview_links: "token title context_name organisation pdf png",
  staff_grants: "roles organisations",
  stored_settings: "kind name options secrets",
  webhook_attempts: "kind outcome error",
  // Data of processes and migrations.
  badge_secret: "secret",
  issuer_keys: "fragment jwk organisation revocation_reason",
  knex_migrations: "name",
  log_checkpoints: "root note",
  log_cosignatures: "line witness",
  log_timestamps: "tsa token",
  transparency_logs: "origin verifier_key",
  witnessed_logs: "note origin root",
  database_functions: "version sha256",
  jobs: "task",
  undrawable_designs: "design",
};

const db = givenDatabase();

/** Returns every column that can hold text, and every column named after a person. */
async function columns(): Promise<string[]> {
  const { rows } = await db.database.knex.raw(
    `select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as name
     from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
       -- A partition has the columns of its table.
       and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
       and (
         data_type not in (
           'boolean', 'smallint', 'integer', 'bigint', 'numeric', 'uuid', 'date', 'timestamp with time zone', 'xid8'
         )
         or column_name !~ '_count$' and column_name ~ '(^|_)(username|name|email|by|actor|subject|holder|learner|user)(_|$)'
       )
     order by 1`,
  );
  return rows.map(({ name }: { name: string }) => name);
}

test("erasure covers every column that could identify a person", async () => {
  const reportToNobody = Object.entries(impersonal).flatMap(([table, names]) =>
    names.split(" ").map((name) => `${table}.${name}`),
  );
  const ids = [
    "audit_entries.caller_id",
    "credential_events.actor_id",
    "unsealed_credential_events.actor_id",
  ];
  const known = new Set([...Object.keys(personalColumns), ...reportToNobody, ...ids]);
  const there = await columns();
  expect(there.filter((column) => !known.has(column))).toEqual([]);
  expect(reportToNobody.filter((column) => personalColumns[column] !== undefined)).toEqual([]);
});

test("erasure lists no column that does not exist", async () => {
  const { rows } = await db.database.knex.raw(
    `select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as name
     from information_schema.columns`,
  );
  const there = new Set(rows.map(({ name }: { name: string }) => name));
  expect(Object.keys(personalColumns).filter((column) => !there.has(column))).toEqual([]);
});

/** Tables with a function of their own for renames, called by `renameEverywhere`. */
const ofSignIn = ["account_subjects", "console_sessions", "console_links", "staff_grants"];

test("a rename covers every table with a username", () => {
  const withUsername = Object.keys(personalColumns).flatMap(
    (column) => /^(\w+)\.username$/.exec(column)?.[1] ?? [],
  );
  const renamed = [
    ...learnerTables.map(({ name }) => name),
    ...accountTables.map(({ table }) => table),
    "credentials",
  ];
  expect(withUsername.filter((table) => !renamed.includes(table))).toEqual(ofSignIn);
});
