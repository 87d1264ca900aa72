import { z } from "zod";
import { hasNoUser } from "./has-no-user.js";

/** Matches the ASCII characters of IRIs. URLs with other characters can't be signed. */
const plain = /^https:[!#-;=?-[\]_a-z~]+$/;

/** A URL for a badge: https, of limited length, and only with characters that can be signed. */
export const httpsUrl = z
  .url({ protocol: /^https$/, error: "must be a URL with https://", abort: true })
  .max(500)
  .refine(
    (url) => plain.test(url),
    "must be a URL with https:// in plain ASCII: percent-encode other characters, such as %20 for a space",
  )
  .refine(hasNoUser, "must have no user name before the host: it would pass for the host");
