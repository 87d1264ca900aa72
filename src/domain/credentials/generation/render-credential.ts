import type { Renderer } from "#formats/rendering/engine/renderer.js";
import type { CredentialFacts, Generator } from "#formats/rendering/generator.js";
import { isPathKey } from "#foundation/text/key-parts.js";
import type { FileAttributes } from "#infrastructure/files/file-store.js";
import type { LoadAssets } from "../../assets/load-assets.js";
import type { Functions } from "../../configurations/functions.js";
import { pick } from "../../configurations/options.js";
import type { Processor } from "../../eligibility/processor.js";
import type { MakeDocumentBadge } from "../badges/make-badge.js";
import type { Credential } from "../credential.js";
import { lastMomentOf } from "../validity/end-of-validity.js";
import { verifyShortUrl, verifyUrl } from "../verify-url.js";
import { type SealingDeps, type StoredSeal, sealOf } from "./seal-document.js";

export interface RenderingDeps extends SealingDeps {
  readonly functions: Functions<Processor, Generator>;
  readonly renderer: Renderer;
  readonly loadAssets: LoadAssets;
  readonly makeDocumentBadge: MakeDocumentBadge;
  readonly publicUrl: string;
}

interface RenderedCredential {
  readonly bytes: Uint8Array;
  /** Fragment of the key that signed the badge; null if there is no badge. */
  readonly badgeKey: string | null;
  readonly seal: StoredSeal | null;
}

/**
 * Renders a credential's document. Rendering it again after it was published gives the same bytes, unless the document
 * is encrypted.
 */
export async function renderCredential(
  deps: RenderingDeps,
  credential: Credential,
): Promise<RenderedCredential> {
  const { functions, renderer, loadAssets, makeDocumentBadge, publicUrl } = deps;
  const generator = functions.generation(credential.generationFunc);
  const seal = generator.carriesSeal ? await sealOf(deps, credential) : undefined;
  const badge = generator.carriesBadge ? await makeDocumentBadge(credential) : undefined;
  const bytes = await renderer.render(
    generator.name,
    {
      ...factsOf(credential, publicUrl),
      ...(badge && { badge: badge.json }),
      ...(seal && { seal: seal.slot }),
    },
    pick(credential.options, generator),
    await loadAssets(credential.assets),
  );
  const badgeKey = badge?.key ?? null;
  return seal ? { ...(await seal.close(bytes)), badgeKey } : { bytes, badgeKey, seal: null };
}

/** Returns the attributes with which a document is served. */
export function documentAttributes(
  credential: Pick<Credential, "learningContextName" | "userFullName">,
): FileAttributes {
  return {
    contentType: "application/pdf",
    downloadName: `${credential.learningContextName} - ${credential.userFullName}.pdf`,
  };
}

type PrintedCredential = Pick<
  Credential,
  | "userFullName"
  | "learningContextName"
  | "credentialType"
  | "createdAt"
  | "verifyUuid"
  | "printSettings"
  | "awardedAt"
  | "validUntil"
  | "particulars"
> &
  Partial<Pick<Credential, "learningContextKey">>;

/** Returns the facts that a document prints, without badge and seal. */
export function factsOf(credential: PrintedCredential, publicUrl: string): CredentialFacts {
  const { learningContextKey, printSettings, awardedAt, validUntil, particulars } = credential;
  return {
    userFullName: credential.userFullName,
    learningContextName: credential.learningContextName,
    isPath: isPathKey(learningContextKey ?? ""),
    credentialType: credential.credentialType,
    created: credential.createdAt,
    verifyUuid: credential.verifyUuid,
    verifyUrl: verifyUrl(publicUrl, credential.verifyUuid),
    verifyShortUrl: verifyShortUrl(publicUrl, credential.verifyUuid),
    platformName: printSettings.platformName,
    language: printSettings.language,
    settings: printSettings,
    ...(awardedAt && { awarded: awardedAt }),
    ...(validUntil && { lastValid: lastMomentOf(validUntil) }),
    ...(particulars && { particulars }),
  };
}
