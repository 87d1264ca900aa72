import { z } from "zod";
import { MAX_ISSUER_DESCRIPTION } from "#foundation/limits.js";
import { httpsUrl } from "#foundation/text/https-url.js";

/** The issuer's profile, which wallets and backpacks show together with the issuer's name. */
export const issuerProfile = z.strictObject({
  url: httpsUrl.optional(),
  description: z.string().trim().min(1, "must not be blank").max(MAX_ISSUER_DESCRIPTION).optional(),
  /** URL of the logo. An embedded image would make every badge larger. */
  image: httpsUrl.optional(),
});

export type IssuerProfile = z.output<typeof issuerProfile>;
