import { z } from "zod";
import { httpsUrl } from "#foundation/text/https-url.js";

/** Information about the issuer in badges, besides the name, shown by wallets and backpacks. */
export const issuerProfile = z.strictObject({
  /** The issuer's website. */
  url: httpsUrl.optional(),
  description: z.string().trim().min(1, "must not be blank").max(1000).optional(),
  /** The issuer's logo. It is a URL, because embedded images would make every badge larger. */
  image: httpsUrl.optional(),
});

export type IssuerProfile = z.output<typeof issuerProfile>;
