import { CREDENTIALS_CONTEXT } from "#formats/badges/contexts.js";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import { badgeRefusal } from "../badges/badge-refusal.js";
import type { MakeBadge } from "../badges/make-badge.js";
import type { Credential } from "../credential.js";
import { findCredential } from "../credential-store.js";
import { isCurrentLink, readWalletToken, walletLink } from "./wallet-link.js";
import type { WalletOffers } from "./wallet-offers.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * One link for all wallets. Each method but `url` throws a Problem: `not-found` if the link is forged, revoked,
 * or leads to nothing yet; `gone` or `failed-precondition` if the credential has no badge any more.
 */
export interface WalletLinks {
  /** Returns the link. */
  url(credential: Credential): string;
  /** Returns the protocols by which a wallet can get the badge. */
  protocols(
    token: string,
    signal: AbortSignal,
  ): Promise<{ readonly vcapi: string; readonly OID4VCI: string }>;
  /** Makes an offer for OpenID4VCI, without a transaction code: the link itself was the secret. */
  offer(token: string, signal: AbortSignal): Promise<Json>;
  /** Answers the first message of a VC-API exchange: a presentation that holds the badge. */
  exchange(token: string, signal: AbortSignal): Promise<Json>;
}

export function createWalletLinks(deps: {
  database: Database;
  makeBadge: MakeBadge;
  offers: WalletOffers;
  /** The first signs links, all of them verify. */
  secrets: readonly string[];
  readonly publicUrl: string;
}): WalletLinks {
  const { database, makeBadge, offers, secrets, publicUrl } = deps;

  async function linkedTo(token: string, signal: AbortSignal): Promise<Credential> {
    const linked = readWalletToken(secrets, token);
    const credential =
      linked &&
      (await inSnapshot(database, signal, (transaction) => findCredential(transaction, linked.uuid)));
    const isFound = linked && isCurrentLink(credential, linked);
    // Erasing revokes links. Whoever has one may know why.
    const refusal = credential?.erasedAt && badgeRefusal(credential);
    if (refusal) throw refusal;
    // One that is still being made, or failed, is nothing that its holder knows.
    if (!isFound || credential.status === "generating" || credential.status === "error")
      throw new Problem("not-found", "This link is not valid.");
    return credential;
  }

  return {
    url: (credential) => walletLink(publicUrl, secrets[0] ?? "", credential),
    async protocols(token, signal) {
      await makeBadge(await linkedTo(token, signal), "json"); // refuses what has no badge
      const base = `${publicUrl}/wallet/${token}`;
      const offer = new URLSearchParams({ credential_offer_uri: `${base}/offer` });
      return { vcapi: `${base}/exchange`, OID4VCI: `openid-credential-offer://?${offer}` };
    },
    async offer(token, signal) {
      return offers.createOpen(await linkedTo(token, signal));
    },
    async exchange(token, signal) {
      const badge = await makeBadge(await linkedTo(token, signal), "json");
      return {
        verifiablePresentation: {
          "@context": [CREDENTIALS_CONTEXT],
          type: ["VerifiablePresentation"],
          verifiableCredential: [JSON.parse(badge)],
        },
      };
    },
  };
}
