import type { Knex } from "knex";
import { assetsNamed, resolveAssets } from "../configurations/assets/asset-use.js";
import type { Functions } from "../configurations/functions.js";
import { noSuchConfiguration } from "../configurations/manage-configurations.js";
import { mergeOptions, type Options } from "../configurations/options.js";
import type { Database } from "../db/database.js";
import { inTransaction } from "../db/transaction.js";
import type { Processor } from "../eligibility/processor.js";
import { progressTowards } from "../eligibility/progress.js";
import { readStanding } from "../eligibility/standing.js";
import { Problem } from "../errors.js";
import { enqueueJobs } from "../jobs/enqueue.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Credential } from "./credential.js";
import { beginCredential, findInForce } from "./credential-store.js";
import { type FrozenSettings, frozenSettings } from "./print-settings.js";

/** What issuing needs. */
export interface IssuingParts {
  readonly database: Database;
  readonly functions: Functions<Processor>;
  readonly settings: FrozenSettings;
}

/** To whom a credential is to be issued, under which configuration, and by whom. */
export interface Issuing {
  readonly configurationId: number;
  readonly username: string;
  readonly skipEligibilityCheck: boolean;
  /** Username of the staff user or service. */
  readonly issuedBy: string;
}

/**
 * Issues a credential: its row and the job that makes its file, in one transaction. While the learner has one under the
 * configuration that is generating or available, that one is the answer.
 * @throws Problem `not-found` for configuration or learner, `failed-precondition` naming what is missing
 */
export function issueCredential(
  { database, functions, settings }: IssuingParts,
  issuing: Issuing,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const sources = await readSources(transaction, issuing);
    if (!sources) throw noSuchConfiguration(issuing.configurationId);
    const known = await findInForce(transaction, issuing);
    if (known && known.status !== "error") return known;

    const { username } = issuing;
    if (sources.userFullName === null) {
      throw new Problem("not-found", `There is no learner named ${JSON.stringify(username)}.`);
    }
    if (sources.userFullName.trim() === "") {
      throw new Problem(
        "failed-precondition",
        `Learner ${username} has no full name: send a record that has it.`,
      );
    }
    if (sources.learningContextName === null) {
      throw new Problem(
        "failed-precondition",
        `${sources.learningContextKey} has no record: send one, so that its name can be printed.`,
      );
    }
    if (!issuing.skipEligibilityCheck) await refuseIneligible(transaction, functions, issuing, sources);

    const options = mergeOptions(sources.typeOptions, sources.options);
    const generation = functions.generation(sources.generationFunc);
    const assets = await resolveAssets(transaction, assetsNamed(generation, options));

    const begun = await beginCredential(transaction, {
      ...issuing,
      userFullName: sources.userFullName,
      learningContextKey: sources.learningContextKey,
      learningContextName: sources.learningContextName,
      credentialType: sources.credentialType,
      generationFunc: sources.generationFunc,
      options,
      assets: Object.fromEntries([...assets].map(([slug, { sha256 }]) => [slug, sha256])),
      printSettings: frozenSettings(settings),
    });
    if (begun) {
      await enqueueJobs(transaction, [{ task: "generate_credential", payload: { credentialId: begun.id } }]);
      return begun;
    }
    const winner = await findInForce(transaction, issuing);
    if (!winner)
      throw new Problem("unavailable", "The credential was invalidated while it was issued: try again.");
    return winner;
  });
}

/** What a credential is made from. */
interface Sources {
  readonly learningContextKey: string;
  /** null: the context has no record. */
  readonly learningContextName: string | null;
  readonly credentialType: string;
  readonly generationFunc: string;
  readonly typeOptions: Options;
  readonly options: Options;
  /** null: the learner has no record. */
  readonly userFullName: string | null;
}

/** The configuration is not deleted until the transaction ends. */
async function readSources(db: Knex.Transaction, issuing: Issuing): Promise<Sources | undefined> {
  const { rows } = await db.raw(
    `select
       configuration.learning_context_key as "learningContextKey",
       coalesce(course.display_name, path.display_name) as "learningContextName",
       type.name as "credentialType",
       type.generation_func as "generationFunc",
       type.custom_options as "typeOptions",
       configuration.custom_options as "options",
       learner.full_name as "userFullName"
     from credential_configurations configuration
     join credential_types type on type.id = configuration.credential_type_id
     left join courses course on course.course_key = configuration.learning_context_key and not course.is_deleted
     left join learning_paths path on path.path_key = configuration.learning_context_key and not path.is_deleted
     left join learners learner on learner.username = :username and not learner.is_deleted
     where configuration.id = :configurationId
     for key share of configuration`,
    { username: issuing.username, configurationId: issuing.configurationId },
  );
  return rows[0];
}

async function refuseIneligible(
  db: Knex.Transaction,
  functions: Functions<Processor>,
  { configurationId, username }: Issuing,
  { learningContextKey, credentialType }: Sources,
): Promise<void> {
  const standing = await readStanding(db, { username, learningContextKey, retrievalFunc: "" });
  const credential = standing.configurations.find(
    (configured) => configured.configurationId === configurationId,
  );
  if (!credential) throw noSuchConfiguration(configurationId);
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const { isEligible, missing } = progressTowards(
    credential,
    functions.retrieval(credential.retrievalFunc),
    standing,
    isPath,
  );
  if (isEligible) return;
  throw new Problem(
    "failed-precondition",
    `Learner ${username} is not eligible for ${JSON.stringify(credentialType)} in ${learningContextKey}. ` +
      `Missing: ${missing.join("; ")}.`,
  );
}
