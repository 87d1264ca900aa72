import { isPictured } from "#domain/credentials/pictures/credential-pictures.js";
import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { verifyUrl } from "#domain/credentials/verify-url.js";
import type { PageContext } from "./page-context.js";

/** URLs for previews of a shared link. */
export interface SharedLook {
  /** URL of a picture with 1200 x 630 pixels. */
  readonly card: string | undefined;
  readonly oembed: string;
}

export function sharedLook(site: PageContext, verification: Verification): SharedLook {
  const page = verifyUrl(site.publicUrl, verification.verifyUuid);
  return {
    card: isPictured(verification) ? `${page}card.png` : undefined,
    oembed: `${site.publicUrl}/oembed?${new URLSearchParams({ url: page, format: "json" })}`,
  };
}
