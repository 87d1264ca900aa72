import { failedPrecondition, invalidField, Problem } from "#foundation/errors.js";
import { groupBy } from "#foundation/group-by.js";
import { mergeOptions, REQUIREMENTS } from "#foundation/text/merge-options.js";
import { execute, type Knex, queryRow, queryRows, queryValues } from "#infrastructure/db/query.js";
import { coursesSql } from "../learners/access.js";
import { isWithin, type Organisations } from "../learners/organisations.js";
import type { CredentialConfiguration, CredentialType } from "./credential-type.js";
import { type ConfigurableFunction, type Options, pick, type RequirementLink } from "./options.js";

/** Describes a credential in errors if the caller may not see it. */
const FOREIGN = "a credential of another organisation";

const FIELD = `custom_options.${REQUIREMENTS}`;

/** Key of the advisory lock for edits of requirements. No other advisory lock uses this number. */
const CIRCLES_LOCK = 0x0155_0e12;

/**
 * Stores the courses and credentials on which the requirements of configurations depend.
 * @param organisations the editor's organisations
 * @throws Problem `invalid` if a type or configuration does not exist, or if credentials would require each other;
 * `permission-denied` if the requirements refer to other organisations than the editor's
 */
export async function storeRequirementLinks(
  transaction: Knex.Transaction,
  retrieval: ConfigurableFunction,
  type: Pick<CredentialType, "customOptions">,
  configurations: readonly CredentialConfiguration[],
  organisations: Organisations,
): Promise<void> {
  for (const { id, learningContextKey, customOptions } of configurations)
    await refuseForeign(transaction, organisations, {
      retrieval,
      learningContextKey,
      options: mergeOptions(type.customOptions, customOptions),
      typeOptions: type.customOptions,
      configurationId: id,
    });
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
  // Edits run one after the other, because two concurrent edits could together create a cycle.
  await execute(transaction, "select pg_advisory_xact_lock(?)", [CIRCLES_LOCK]);
  await refuseUnknown(transaction, links);
  await execute(
    transaction,
    `insert into requirement_links (configuration_id, context_key, held_type_id, held_configuration_id)
     select link.* from jsonb_to_recordset(?::jsonb) as link
       ("configurationId" integer, "contextKey" text, "heldTypeId" integer, "heldConfigurationId" integer)`,
    [JSON.stringify(links)],
  );
  await refuseCircle(transaction, ids, organisations);
}

/**
 * The edited requirements. `typeOptions` and `configurationId` identify saved requirements, which a restricted editor
 * may keep.
 */
interface EditedRequirements {
  readonly retrieval: ConfigurableFunction;
  readonly learningContextKey: string;
  /** Options of the configuration, merged over the type's options. */
  readonly options: Options;
  /** Options of the type, which only staff with access to all organisations can change. */
  readonly typeOptions: Options;
  /** The configuration whose saved requirements may be kept; 0 for none. */
  readonly configurationId: number;
}

/**
 * Rejects requirements that refer to organisations other than the editor's, because they would reveal results of
 * learners in those organisations. The courses of the context itself are allowed, and so are requirements that staff
 * with access to all organisations have saved.
 * @throws Problem `permission-denied`; `invalid` for a configuration of another organisation, as if it didn't exist
 */
export async function refuseForeign(
  db: Knex,
  organisations: Organisations,
  { retrieval, learningContextKey, options, typeOptions, configurationId }: EditedRequirements,
): Promise<void> {
  if (organisations === undefined) return;
  const links = linksUnder(retrieval, options, learningContextKey);
  if (links.length === 0) return;
  const saved = await queryRows<RequirementLink>(
    db,
    `select context_key as "contextKey", held_type_id as "heldTypeId",
       held_configuration_id as "heldConfigurationId"
     from requirement_links where configuration_id = ?`,
    [configurationId],
  );
  const before = [...saved, ...linksUnder(retrieval, typeOptions, learningContextKey)];
  const steps = await queryValues<string>(
    db,
    `select step.course_key from (select ?::text as key) as context
     cross join lateral ${coursesSql("context.key")} as step`,
    [learningContextKey],
  );
  const configured = await queryRows<{ id: number; key: string }>(
    db,
    "select id, learning_context_key as key from credential_configurations where id = any (?::integer[])",
    [links.flatMap(({ heldConfigurationId }) => heldConfigurationId ?? [])],
  );
  for (const { contextKey, heldTypeId, heldConfigurationId } of links) {
    const isKnown = before.some(
      (each) =>
        each.contextKey === contextKey &&
        each.heldTypeId === heldTypeId &&
        each.heldConfigurationId === heldConfigurationId,
    );
    if (isKnown) continue;
    if (heldConfigurationId !== null) {
      const key = configured.find(({ id }) => id === heldConfigurationId)?.key;
      if (key === undefined || !isWithin(organisations, key)) throw noConfiguration(heldConfigurationId);
    } else if (contextKey === null) {
      throw foreign("requires a credential from anywhere, and so from other organisations");
    } else if (!isWithin(organisations, contextKey) && !(heldTypeId === null && steps.includes(contextKey))) {
      throw foreign(`names ${contextKey}, which belongs to another organisation`);
    }
  }
}

function foreign(what: string): Problem {
  return new Problem(
    "permission-denied",
    `${FIELD}: ${what}: only staff with access to all organisations can require it.`,
    { field: FIELD },
  );
}

function noConfiguration(id: number): Problem {
  return invalidField(
    FIELD,
    `${FIELD}: there is no credential configuration ${id} (ListCredentialConfigurations lists them).`,
  );
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

/** Locks existing types and configurations until the transaction ends. Rejects links to missing ones. */
async function refuseUnknown(
  transaction: Knex.Transaction,
  links: readonly RequirementLink[],
): Promise<void> {
  const check = async (
    table: string,
    ids: readonly (number | null)[],
    refusal: (id: number) => Problem,
  ): Promise<void> => {
    const named = [...new Set(ids.filter((id) => id !== null))];
    if (named.length === 0) return;
    const existingIds = await queryValues<number>(
      transaction,
      `select id from ${table} where id = any (?::integer[]) for key share`,
      [named],
    );
    const unknown = named.find((id) => !existingIds.includes(id));
    if (unknown !== undefined) throw refusal(unknown);
  };
  await check(
    "credential_types",
    links.map(({ heldTypeId }) => heldTypeId),
    (id) =>
      invalidField(FIELD, `${FIELD}: there is no credential type ${id} (ListCredentialTypes lists them).`),
  );
  await check(
    "credential_configurations",
    links.map(({ heldConfigurationId }) => heldConfigurationId),
    noConfiguration,
  );
}

/** SQL for `from`: pairs of configurations, of which `configuration_id` requires credentials of `held_id`. */
export const heldConfigurations = `(
  select link.configuration_id, link.held_configuration_id as held_id
  from requirement_links link where link.held_configuration_id is not null
  union
  select link.configuration_id, held.id
  from requirement_links link
  join credential_configurations held on held.credential_type_id = link.held_type_id
    and (link.context_key is null or held.learning_context_key = link.context_key)
)`;

async function refuseCircle(
  transaction: Knex.Transaction,
  ids: readonly number[],
  organisations: Organisations,
): Promise<void> {
  const edges = await queryRows<{ configuration_id: number; held_id: number }>(
    transaction,
    `select * from ${heldConfigurations} as held`,
  );
  const edgesByConfiguration = groupBy(edges, ({ configuration_id }) => configuration_id);
  for (const id of ids) {
    const circle = findCircle(id, (from) =>
      (edgesByConfiguration.get(from) ?? []).map(({ held_id }) => held_id),
    );
    if (!circle) continue;
    const names = await namesOf(transaction, circle, organisations);
    throw invalidField(
      FIELD,
      `${FIELD}: credentials can't require each other: ${names.join(" requires ")}. ` +
        "Remove one of these requirements (holds).",
    );
  }
}

/** Returns the shortest cycle, with `from` as both its first and its last element. */
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

/** Returns names of configurations for an error. Doesn't reveal the names of other organisations' configurations. */
async function namesOf(db: Knex, ids: readonly number[], organisations: Organisations): Promise<string[]> {
  const rows = await queryRows<{ id: number; name: string; key: string }>(
    db,
    `select configuration.id, type.name, learning_context_key as key
     from credential_configurations configuration join credential_types type on type.id = credential_type_id
     where configuration.id = any (?::integer[])`,
    [ids],
  );
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id);
    if (!row) return String(id);
    if (!isWithin(organisations, row.key)) return FOREIGN;
    return `${JSON.stringify(row.name)} in ${row.key}`;
  });
}

export function namedCourses(db: Knex, configurationId: number): Promise<string[]> {
  return queryValues<string>(
    db,
    `select context_key from requirement_links
     where configuration_id = ? and context_key is not null and held_type_id is null`,
    [configurationId],
  );
}

/**
 * Refuses to delete a type or configuration while the requirements of another configuration use it.
 * @throws Problem `failed-precondition` naming such a configuration
 */
export async function refuseHeld(
  transaction: Knex.Transaction,
  held: { readonly typeId: number } | { readonly configurationId: number },
  organisations: Organisations,
): Promise<void> {
  const [column, id] =
    "typeId" in held ? ["held_type_id", held.typeId] : ["held_configuration_id", held.configurationId];
  const found = await queryRow<{ id: number }>(
    transaction,
    `select configuration_id as id from requirement_links where ${column} = ? order by configuration_id limit 1`,
    [id],
  );
  if (!found) return;
  const [name] = await namesOf(transaction, [found.id], organisations);
  throw failedPrecondition(
    name === FOREIGN
      ? `The requirements of ${name} require this credential (holds): ask staff of all organisations to change them first.`
      : `The requirements of configuration ${found.id} (${name}) require this credential (holds): change them first.`,
    { reason: "IN_USE" },
  );
}
