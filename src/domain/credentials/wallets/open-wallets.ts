import type { Database } from "#infrastructure/db/database.js";
import { badgeRefusal } from "../badges/badge-refusal.js";
import type { BadgeDeps } from "../badges/issuer.js";
import type { MakeBadge } from "../badges/make-badge.js";
import type { Credential } from "../credential.js";
import { walletLink } from "./wallet-link.js";
import { createWalletLinks, type WalletLinks } from "./wallet-links.js";
import { createWalletOffers, type WalletOffers } from "./wallet-offers.js";

interface WalletDeps extends Pick<BadgeDeps, "signingKeys"> {
  readonly database: Database;
  readonly config: { readonly isPublicHttps: boolean };
  readonly secrets: { readonly urlSigningSecrets: readonly [string, ...string[]] };
  readonly publicUrl: string;
}

/** The two ways in which wallets can get badges. */
export interface Wallets {
  readonly offers: WalletOffers;
  readonly links: WalletLinks;
}

export function openWallets(deps: WalletDeps, makeBadge: MakeBadge): Wallets | undefined {
  if (!hasWallets(deps)) return undefined;
  const { database, secrets, publicUrl } = deps;
  const parts = { database, makeBadge, secrets: secrets.urlSigningSecrets, publicUrl };
  const offers = createWalletOffers(parts);
  return { offers, links: createWalletLinks({ ...parts, offers }) };
}

/**
 * Returns a function from a credential to its link for wallets, or to `undefined` if the credential has no badge.
 * @returns undefined, instead of a function, if the service doesn't support wallets
 */
export function walletUrlOf(deps: WalletDeps): ((credential: Credential) => string | undefined) | undefined {
  if (!hasWallets(deps)) return undefined;
  const { secrets, publicUrl } = deps;
  const [secret] = secrets.urlSigningSecrets;
  return (credential) => (badgeRefusal(credential) ? undefined : walletLink(publicUrl, secret, credential));
}

/** Returns whether the service supports wallets, which requires HTTPS and signed badges. */
function hasWallets({ signingKeys, config }: WalletDeps): boolean {
  return signingKeys !== undefined && config.isPublicHttps;
}
