import { isPictured } from "#domain/credentials/pictures/credential-pictures.js";
import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { verifyUrl } from "#domain/credentials/verify-url.js";
import type { PageContext } from "./page-context.js";

/** Where the picture of a credential is, below its verification page. */
const PICTURE_NAME = "picture.png";

/** Addresses of what others show of a shared link. */
export interface SharedLook {
  /** undefined: there is none */
  readonly picture: string | undefined;
  readonly oembed: string;
}

export function sharedLook(site: PageContext, verification: Verification): SharedLook {
  const page = verifyUrl(site.publicUrl(), verification.verifyUuid);
  return {
    picture: isPictured(verification) ? `${page}${PICTURE_NAME}` : undefined,
    oembed: `${site.publicUrl()}/oembed?${new URLSearchParams({ url: page, format: "json" })}`,
  };
}
