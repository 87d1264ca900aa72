import type { Knex } from "knex";
import { failedPrecondition, invalidField } from "#foundation/errors.js";
import { execute, queryRow, queryRows, queryValues } from "#infrastructure/db/query.js";
import type { CredentialConfiguration, CredentialType } from "./credential-type.js";
import {
  type ConfigurableFunction,
  mergeOptions,
  type Options,
  pick,
  REQUIREMENTS,
  type RequirementLink,
} from "./options.js";

const FIELD = `custom_options.${REQUIREMENTS}`;

/** Key of the transaction lock for the search for cycles. Any number that nothing else uses would do. */
const CIRCLES_LOCK = 0x0155_0e12;

/**
 * Stores which courses and credentials the requirements of configurations depend on.
 * @throws Problem `invalid` if a type or configuration does not exist, or if credentials would require each other
 */
export async function storeRequirementLinks(
  transaction: Knex.Transaction,
  retrieval: ConfigurableFunction,
  type: Pick<CredentialType, "customOptions">,
  configurations: readonly CredentialConfiguration[],
): Promise<void> {
  const links = configurations.flatMap(({ id, learningContextKey, customOptions }) =>
    linksUnder(retrieval, mergeOptions(type.customOptions, customOptions), learningContextKey).map(
      (link) => ({ configurationId: id, ...link }),
    ),
  );
  const ids = configurations.map(({ id }) => id);
  await execute(transaction, "delete from requirement_links where configuration_id = any (?::integer[])", [
    ids,
  ]);
  if (links.length === 0) return;
  // Two concurrent edits could create a cycle together, so they run one after the other.
  await execute(transaction, "select pg_advisory_xact_lock(?)", [CIRCLES_LOCK]);
  await refuseUnknown(transaction, links);
  await execute(
    transaction,
    `insert into requirement_links (configuration_id, context_key, held_type_id, held_configuration_id)
     select link.* from jsonb_to_recordset(?::jsonb) as link
       ("configurationId" integer, "contextKey" text, "heldTypeId" integer, "heldConfigurationId" integer)`,
    [JSON.stringify(links)],
  );
  await refuseCircle(transaction, ids);
}

function linksUnder(
  retrieval: ConfigurableFunction,
  options: Options,
  learningContextKey: string,
): readonly RequirementLink[] {
  const own = pick(options, retrieval);
  if (!retrieval.linksOf || !retrieval.options.safeParse(own).success) return [];
  return retrieval.linksOf(own, learningContextKey);
}

/** Rejects links to missing types and configurations, and locks the existing ones until the transaction ends. */
async function refuseUnknown(
  transaction: Knex.Transaction,
  links: readonly RequirementLink[],
): Promise<void> {
  const check = async (
    table: string,
    ids: readonly (number | null)[],
    what: (id: number) => string,
  ): Promise<void> => {
    const named = [...new Set(ids.filter((id) => id !== null))];
    if (named.length === 0) return;
    const known = await queryValues<number>(
      transaction,
      `select id from ${table} where id = any (?::integer[]) for key share`,
      [named],
    );
    const unknown = named.find((id) => !known.includes(id));
    if (unknown === undefined) return;
    throw invalidField(FIELD, `${FIELD}: there is no ${what(unknown)}.`);
  };
  await check(
    "credential_types",
    links.map(({ heldTypeId }) => heldTypeId),
    (id) => `credential type ${id} (ListCredentialTypes lists them)`,
  );
  await check(
    "credential_configurations",
    links.map(({ heldConfigurationId }) => heldConfigurationId),
    (id) => `credential configuration ${id} (ListCredentialConfigurations lists them)`,
  );
}

/** SQL for `from`: `configuration_id`, and each configuration `held_id` whose credentials it requires. */
export const heldConfigurations = `(
  select link.configuration_id, link.held_configuration_id as held_id
  from requirement_links link where link.held_configuration_id is not null
  union
  select link.configuration_id, held.id
  from requirement_links link
  join credential_configurations held on held.credential_type_id = link.held_type_id
    and (link.context_key is null or held.learning_context_key = link.context_key)
)`;

/** Rejects a configuration that requires its own credential, directly or through others. The error lists the cycle. */
async function refuseCircle(transaction: Knex.Transaction, ids: readonly number[]): Promise<void> {
  const edges = await queryRows<{ configuration_id: number; held_id: number }>(
    transaction,
    `select * from ${heldConfigurations} as held`,
  );
  const heldBy = new Map<number, number[]>();
  for (const { configuration_id: id, held_id } of edges) heldBy.set(id, [...(heldBy.get(id) ?? []), held_id]);
  for (const id of ids) {
    const circle = findCircle(id, (from) => heldBy.get(from) ?? []);
    if (!circle) continue;
    const names = await namesOf(transaction, circle);
    throw invalidField(
      FIELD,
      `${FIELD}: credentials can't require each other: ${names.join(" requires ")}. ` +
        "Remove one of these requirements (holds).",
    );
  }
}

/** Returns the shortest cycle through a configuration, which is both its first and its last element. */
function findCircle(from: number, heldBy: (id: number) => readonly number[]): number[] | undefined {
  const cameFrom = new Map<number, number>();
  for (const queue = [from]; queue.length > 0; ) {
    const id = queue.shift() as number;
    for (const held of heldBy(id)) {
      if (held === from) {
        const back = [from];
        for (let at = id; at !== from; at = cameFrom.get(at) as number) back.unshift(at);
        return [from, ...back];
      }
      if (cameFrom.has(held)) continue;
      cameFrom.set(held, id);
      queue.push(held);
    }
  }
  return undefined;
}

async function namesOf(db: Knex, ids: readonly number[]): Promise<string[]> {
  const rows = await queryRows<{ id: number; name: string; key: string }>(
    db,
    `select configuration.id, type.name, learning_context_key as key
     from credential_configurations configuration join credential_types type on type.id = credential_type_id
     where configuration.id = any (?::integer[])`,
    [ids],
  );
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id);
    return row ? `${JSON.stringify(row.name)} in ${row.key}` : String(id);
  });
}

/** Lists the courses in the requirements of a configuration. */
export function namedCourses(db: Knex, configurationId: number): Promise<string[]> {
  return queryValues<string>(
    db,
    `select context_key from requirement_links
     where configuration_id = ? and context_key is not null and held_type_id is null`,
    [configurationId],
  );
}

/**
 * Prevents the deletion of a type or configuration that the requirements of another configuration use.
 * @throws Problem `failed-precondition` naming one such configuration
 */
export async function refuseHeld(
  transaction: Knex.Transaction,
  held: { readonly typeId: number } | { readonly configurationId: number },
): Promise<void> {
  const [column, id] =
    "typeId" in held ? ["held_type_id", held.typeId] : ["held_configuration_id", held.configurationId];
  const found = await queryRow<{ id: number }>(
    transaction,
    `select configuration_id as id from requirement_links where ${column} = ? order by configuration_id limit 1`,
    [id],
  );
  if (!found) return;
  const [name] = await namesOf(transaction, [found.id]);
  throw failedPrecondition(
    `The requirements of configuration ${found.id} (${name}) refer to it (holds): change these first.`,
    { reason: "IN_USE" },
  );
}
