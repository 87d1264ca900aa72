import { CREDENTIALS_CONTEXT } from "#formats/badges/contexts.js";
import { Problem } from "#foundation/errors.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { badgeRefusal } from "../badges/badge-refusal.js";
import type { MakeBadge } from "../badges/make-badge.js";
import type { Credential } from "../credential.js";
import { findCredential } from "../credential-store.js";
import { isCurrentLink, readWalletToken, walletLink } from "./wallet-link.js";
import type { WalletOffers } from "./wallet-offers.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * Links for all wallets. Methods that take a token throw Problem `not-found` if the link is forged or revoked, or the
 * credential is not available yet. They throw `gone` or `failed-precondition` if the credential no longer has a badge.
 */
export interface WalletLinks {
  url(credential: Credential): string;
  /** Returns the protocols by which a wallet can get the badge. */
  protocols(
    token: string,
    signal: AbortSignal,
  ): Promise<{ readonly vcapi: string; readonly OID4VCI: string }>;
  /** Creates an offer for OpenID4VCI. It needs no transaction code, because the link is secret. */
  offer(token: string, signal: AbortSignal): Promise<Json>;
  /** Answers the first message of a VC-API exchange with a presentation that contains the badge. */
  exchange(token: string, signal: AbortSignal): Promise<Json>;
}

export function createWalletLinks(deps: {
  database: Database;
  makeBadge: MakeBadge;
  offers: WalletOffers;
  /** The first secret signs links, and all of them verify links. */
  secrets: readonly [string, ...string[]];
  readonly publicUrl: string;
}): WalletLinks {
  const { database, makeBadge, offers, secrets, publicUrl } = deps;

  async function linkedTo(token: string, signal: AbortSignal): Promise<Credential> {
    const linked = readWalletToken(secrets, token);
    const credential =
      linked &&
      (await inSnapshot(database, signal, (transaction) => findCredential(transaction, linked.uuid)));
    const isFound = linked && isCurrentLink(credential, linked);
    // Checked before the link: erasing the learner also revokes the link, but this refusal says more than that.
    const refusal = credential?.erasedAt && badgeRefusal(credential);
    if (refusal) throw refusal;
    // The holder doesn't know about a credential that is generating or has failed.
    if (!isFound || credential.status === "generating" || credential.status === "error")
      throw new Problem("not-found", "This link is not valid.");
    return credential;
  }

  return {
    url: (credential) => walletLink(publicUrl, secrets[0], credential),
    async protocols(token, signal) {
      await makeBadge(await linkedTo(token, signal), "json"); // throws if the credential has no badge
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
