import type { Knex } from "knex";
import { assetsNamed, resolveAssets } from "../configurations/assets/asset-use.js";
import type { Functions } from "../configurations/functions.js";
import { mergeOptions, pick } from "../configurations/options.js";
import { enqueueJobs } from "../jobs/enqueue.js";
import type { Credential } from "./credential.js";
import type { CompleteSources } from "./credential-sources.js";
import { beginCredential } from "./credential-store.js";
import { type FrozenSettings, frozenSettings } from "./print-settings.js";

/** Whose credential it is, under which configuration, who issues it, and in place of which one. */
export interface Beginning {
  readonly username: string;
  readonly configurationId: number;
  /** Username of the staff user or service. */
  readonly issuedBy: string;
  /** `uuid` of the invalidated one. */
  readonly replaces: string | null;
}

/**
 * Begins a credential that says what its sources say today, and enqueues the job that makes its file.
 * @returns undefined when there is one already that is generating or available
 * @throws Problem `failed-precondition` when an asset that the options name is missing, or naming a character that no font has
 */
export async function beginWithJob(
  transaction: Knex.Transaction,
  { functions, settings }: { functions: Functions; settings: FrozenSettings },
  beginning: Beginning,
  sources: CompleteSources,
): Promise<Credential | undefined> {
  const options = mergeOptions(sources.typeOptions, sources.options);
  const generation = functions.generation(sources.generationFunc);
  generation.checkTexts?.({ ...sources, platformName: settings.platformName }, pick(options, generation));
  const assets = await resolveAssets(transaction, assetsNamed(generation, options));

  const begun = await beginCredential(transaction, {
    ...beginning,
    userFullName: sources.userFullName,
    learningContextKey: sources.learningContextKey,
    learningContextName: sources.learningContextName,
    credentialType: sources.credentialType,
    generationFunc: sources.generationFunc,
    options,
    assets: Object.fromEntries([...assets].map(([slug, { sha256 }]) => [slug, sha256])),
    printSettings: frozenSettings(settings),
  });
  if (!begun) return undefined;
  await enqueueJobs(transaction, [{ task: "generate_credential", payload: { credentialId: begun.id } }]);
  return begun;
}
