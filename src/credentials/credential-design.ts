import type { Knex } from "knex";
import type { Asset } from "../configurations/assets/asset.js";
import { assetsNamed, resolveAssets } from "../configurations/assets/asset-use.js";
import { mergeOptions, pick } from "../configurations/options.js";
import type { CharacterRanges } from "../rendering/generator.js";
import type { Sources } from "./credential-sources.js";
import type { NewCredential } from "./credential-store.js";
import type { IssuingParts } from "./issue-credential.js";
import { frozenSettings } from "./print-settings.js";

/** What credentials say and look like that are issued under a configuration today, whoever gets them. */
export type CredentialContent = Omit<NewCredential, "username" | "userFullName" | "replaces" | "issuedBy">;

/** That, and whose name can be printed on it. */
export interface CredentialDesign {
  readonly content: CredentialContent;
  /**
   * @param userFullName or several, one a line
   * @throws Problem `failed-precondition` naming a character that no font of the design has, in it or in what is printed beside it
   */
  checkName(userFullName: string): void;
}

/**
 * The assets stay as they are until the transaction ends.
 * @throws Problem `invalid` when the generation function or an asset is not there any more
 */
export async function readDesign(
  transaction: Knex.Transaction,
  { functions, settings }: Pick<IssuingParts, "functions" | "settings">,
  configurationId: number,
  sources: Sources & { readonly learningContextName: string },
): Promise<CredentialDesign> {
  const { learningContextKey, learningContextName, credentialType, generationFunc } = sources;
  const { platformName } = settings;
  const options = mergeOptions(sources.typeOptions, sources.options);
  const generation = functions.generation(generationFunc);
  const own = pick(options, generation);
  const assets = await resolveAssets(transaction, assetsNamed(generation, options));
  const checkTexts = await generation.textCheck?.(own, charactersBySlug(assets.values()));
  return {
    content: {
      configurationId,
      learningContextKey,
      learningContextName,
      credentialType,
      generationFunc,
      options,
      assets: Object.fromEntries([...assets].map(([slug, { sha256 }]) => [slug, sha256])),
      printSettings: frozenSettings(settings),
    },
    checkName: (userFullName) =>
      checkTexts?.({ userFullName, learningContextName, credentialType, platformName }),
  };
}

function charactersBySlug(assets: Iterable<Asset>): ReadonlyMap<string, CharacterRanges> {
  return new Map([...assets].flatMap(({ slug, characters }) => (characters ? [[slug, characters]] : [])));
}
