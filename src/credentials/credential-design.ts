import type { Knex } from "knex";
import { assetsNamed, resolveAssets } from "../configurations/assets/asset-use.js";
import type { Functions } from "../configurations/functions.js";
import { mergeOptions, type Options, pick } from "../configurations/options.js";
import type { PrintedTexts } from "../rendering/generator.js";
import type { Sources } from "./credential-sources.js";

/** How credentials look that are issued under a configuration today. */
export interface CredentialDesign {
  readonly options: Options;
  /** The assets that the options name: slug -> SHA-256 of the content of today. */
  readonly assets: Readonly<Record<string, string>>;
  /** @throws Problem `failed-precondition` naming a character that no font has */
  checkTexts(texts: PrintedTexts): void;
}

/**
 * The assets stay as they are until the transaction ends.
 * @throws Problem `invalid` when the generation function or an asset is not there any more
 */
export async function readDesign(
  transaction: Knex.Transaction,
  functions: Functions,
  sources: Pick<Sources, "generationFunc" | "typeOptions" | "options">,
): Promise<CredentialDesign> {
  const options = mergeOptions(sources.typeOptions, sources.options);
  const generation = functions.generation(sources.generationFunc);
  const own = pick(options, generation);
  const assets = await resolveAssets(transaction, assetsNamed(generation, options));
  return {
    options,
    assets: Object.fromEntries([...assets].map(([slug, { sha256 }]) => [slug, sha256])),
    checkTexts: (texts) => generation.checkTexts?.(texts, own),
  };
}
