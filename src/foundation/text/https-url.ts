import { z } from "zod";
import { MAX_URL } from "../limits.js";
import { hasNoUser } from "./has-no-user.js";

/** Matches URLs that can be signed. They may only contain the ASCII characters that IRIs allow. */
const plain = /^https:[!#-;=?-[\]_a-z~]+$/;

/** Schema of URLs that badges may contain. */
export const httpsUrl = z
  .url({ protocol: /^https$/, error: "must be a URL with https://", abort: true })
  .max(MAX_URL)
  .refine(
    (url) => plain.test(url),
    "must be a URL with https:// in plain ASCII: percent-encode other characters, such as %20 for a space",
  )
  .refine(hasNoUser, "must not contain a username, because readers could mistake it for the host");
