import { z } from "zod";
import { httpsUrl } from "#foundation/text/https-url.js";

/** What badges say about their issuer beside its name, for wallets and backpacks that show it. */
export const issuerProfile = z.strictObject({
  /** Its site. */
  url: httpsUrl.optional(),
  description: z.string().trim().min(1, "must not be blank").max(1000).optional(),
  /** Its logo. An address, as contents would make every badge larger. */
  image: httpsUrl.optional(),
});

export type IssuerProfile = z.output<typeof issuerProfile>;
