import { isPictured } from "../../credentials/pictures/credential-pictures.js";
import type { Verification } from "../../credentials/verification/look-up-verification.js";
import { verifyUrl } from "../../credentials/verify-url.js";
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
