import { listConfigurations } from "#domain/configurations/configuration-store.js";
import type { Functions } from "#domain/configurations/functions.js";
import { createConfiguration } from "#domain/configurations/manage-configurations.js";
import { createType } from "#domain/configurations/manage-types.js";
import { listTypes } from "#domain/configurations/type-store.js";
import type { Credential } from "#domain/credentials/credential.js";
import { listCredentials } from "#domain/credentials/credential-store.js";
import { issueCredential } from "#domain/credentials/issuance/issue-credential.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import { importRecords } from "#domain/learners/import-records.js";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { SAMPLE_DATA } from "#infrastructure/identity/actors.js";
import { sampleConfigurations, sampleCredentialTypes } from "./configurations.js";
import { sampleCredentials } from "./credentials.js";
import { sampleRecords } from "./records.js";

const ANY = { learningContextKey: "", credentialTypeId: 0 };
const ANY_STATUS = { learningContextKey: "", statuses: undefined };
const UNLIMITED = 10_000;

/** The credentials that startup shows, in their current state; undefined if issuing was refused. */
interface LoadedCredentials {
  readonly graduate: Credential | undefined;
  /** Invalidated once it is available: see `invalidateMisprint`. */
  readonly misprint: Credential | undefined;
}

/**
 * Loads the sample academy into the database. Existing data is kept: a second start creates no duplicates, and doesn't
 * restore records that were changed or withdrawn.
 *
 * Skips credentials that can't be issued: if the learner is no longer eligible, or if no font can print the learner's
 * name.
 */
export async function loadSampleData(deps: IssuingDeps, signal: AbortSignal): Promise<LoadedCredentials> {
  const { database, functions } = deps;
  await importRecords(database, sampleRecords(), signal);
  const typeIds = await loadTypes(database, functions, signal);
  const configurationIds = await loadConfigurations(deps, typeIds, signal);
  const credentials: Credential[][] = [];
  for (const { username, learningContextKey, credentialTypeName } of sampleCredentials) {
    const of = { username, configurationId: configurationIds(learningContextKey, credentialTypeName) };
    const existing = await listCredentials(database.knex, { ...of, ...ANY_STATUS }, 0, UNLIMITED);
    credentials.push(existing.length > 0 ? existing : await issueUnlessRefused(deps, of, signal));
  }
  const [ofGraduate = [], ofMisprinted = []] = credentials;
  return {
    graduate: ofGraduate.at(-1),
    misprint: ofMisprinted.find(({ status }) => status === "invalidated") ?? ofMisprinted[0],
  };
}

async function issueUnlessRefused(
  deps: IssuingDeps,
  key: { username: string; configurationId: number },
  signal: AbortSignal,
): Promise<Credential[]> {
  const issuing = { ...key, skipEligibilityCheck: false, issuedBy: SAMPLE_DATA };
  try {
    return [await issueCredential(deps, issuing, signal)];
  } catch (error) {
    if (error instanceof Problem && error.kind !== "unavailable") return [];
    throw error;
  }
}

/** @returns the ids of all types by name */
async function loadTypes(
  database: Database,
  functions: Functions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const existing = await idsByName(database.knex);
  for (const type of sampleCredentialTypes) {
    if (existing.has(type.name)) continue;
    const fresh = { ...type, customOptions: { ...type.customOptions } };
    await createType(database, functions, fresh, SAMPLE_DATA, signal);
  }
  return idsByName(database.knex);
}

async function idsByName(db: Knex): Promise<Map<string, number>> {
  return new Map((await listTypes(db, 0, UNLIMITED)).map(({ name, id }) => [name, id]));
}

/** @returns a function that finds the id of a configuration */
async function loadConfigurations(
  deps: IssuingDeps,
  typeIds: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<(learningContextKey: string, typeName: string) => number> {
  const nameOf = (learningContextKey: string, typeId: number | undefined) =>
    `${typeId} ${learningContextKey}`;
  const read = async () =>
    new Map(
      (await listConfigurations(deps.database.knex, ANY, 0, UNLIMITED)).map((configuration) => [
        nameOf(configuration.learningContextKey, configuration.credentialTypeId),
        configuration.id,
      ]),
    );
  const existing = await read();
  for (const {
    learningContextKey,
    credentialTypeName,
    customOptions,
    claim = "never",
  } of sampleConfigurations) {
    const credentialTypeId = typeIds.get(credentialTypeName);
    if (credentialTypeId === undefined || existing.has(nameOf(learningContextKey, credentialTypeId)))
      continue;
    const configuration = {
      learningContextKey,
      credentialTypeId,
      customOptions: { ...customOptions },
      claim,
    };
    const editor = { actor: SAMPLE_DATA, mayIssue: true, organisations: undefined };
    await createConfiguration(deps, configuration, editor, signal);
  }
  const loaded = await read();
  return (learningContextKey, typeName) => {
    const id = loaded.get(nameOf(learningContextKey, typeIds.get(typeName)));
    if (id === undefined) throw new Error(`the sample academy has no ${typeName} in ${learningContextKey}`);
    return id;
  };
}
