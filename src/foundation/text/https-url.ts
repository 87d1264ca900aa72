import { z } from "zod";
import { hasNoUser } from "./has-no-user.js";

/** Characters of an IRI in ASCII: nothing else can be signed as the address of something. */
const plain = /^https:[!#-;=?-[\]_a-z~]+$/;

/** An address that a badge states: bounded, with https, and in the characters in which it is signed. */
export const httpsUrl = z
  .url({ protocol: /^https$/, error: "must be an address with https://", abort: true })
  .max(500)
  .refine(
    (url) => plain.test(url),
    "must be an address with https:// in plain ASCII: percent-encode other characters, such as %20 for a space",
  )
  .refine(hasNoUser, "must have no user name before the host: it would pass for the host");
