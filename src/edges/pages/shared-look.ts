import type { Verification } from "../../credentials/verification/look-up-verification.js";
import { verifyUrl } from "../../credentials/verify-url.js";
import { plainLine } from "../../text/plain-line.js";
import type { PageContext } from "./page-context.js";

/** Where the picture of a credential is, below its verification page. */
const PICTURE_NAME = "picture.png";

/** Addresses of what others show of a shared link. */
export interface SharedLook {
  /** undefined: there is none */
  readonly picture: string | undefined;
  readonly oembed: string;
}

/** A credential has a picture as `credentials/pictures` makes it: while it is in force, and names its holder. */
export function sharedLook(site: PageContext, verification: Verification): SharedLook {
  const { status, isExpired, importedAt, userFullName, verifyUuid } = verification;
  const page = verifyUrl(site.publicUrl(), verifyUuid);
  const isPictured =
    status === "available" && !isExpired && importedAt === null && plainLine(userFullName) !== "";
  return {
    picture: isPictured ? `${page}${PICTURE_NAME}` : undefined,
    oembed: `${site.publicUrl()}/oembed?${new URLSearchParams({ url: page, format: "json" })}`,
  };
}
