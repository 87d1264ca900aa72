import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { MakeBadge } from "../badges/make-badge.js";
import type { Credential } from "../credential.js";
import { getCredential } from "../get-credential.js";
import { checkHolderProof } from "./holder-proof.js";
import { hashOf, isNonce, NONCE_LIFETIME_S, newNonce } from "./nonces.js";
import { WalletError } from "./wallet-error.js";
import {
  countAttempt,
  findByToken,
  insertOffer,
  markIssued,
  setToken,
  spendNonce,
  type WalletFormat,
} from "./wallet-offer-store.js";

/** In seconds. */
const CODE_LIFETIME_S = 600;
export const TOKEN_LIFETIME_S = 300;

const CODE_BYTES = 24;
const TX_CODE_DIGITS = 6;

/** Credential configurations in the issuer's metadata. */
export const walletConfigurations: Record<string, WalletFormat> = {
  OpenBadgeCredential_ldp_vc: "ldp_vc",
  OpenBadgeCredential_jwt_vc_json: "jwt_vc_json",
};

/** An offer of a badge. The transaction code must reach the holder through a different channel from the link. */
interface WalletOffer {
  readonly offerUri: string;
  readonly txCode: string;
  readonly expires: Date;
}

/** Gives badges to wallets (OpenID4VCI 1.0, pre-authorized code flow). */
export interface WalletOffers {
  /** @throws the Problems of making a badge */
  create(credential: Credential): Promise<WalletOffer>;
  /**
   * Creates an offer without a transaction code, for a caller who has already proven to know a secret.
   * @throws the Problems of making a badge
   */
  createOpen(credential: Credential): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Redeems a code for a token. A code can be redeemed once.
   * @param txCode undefined if the wallet sent no transaction code
   * @throws WalletError
   */
  token(code: string, txCode: string | undefined): Promise<string>;
  nonce(): string;
  /** Creates a badge for the key in the proof. Each token gives one badge per format. @throws WalletError */
  credential(token: string, format: WalletFormat, proof: string): Promise<string>;
}

export function createWalletOffers(deps: {
  database: Database;
  makeBadge: MakeBadge;
  secrets: readonly [string, ...string[]];
  readonly publicUrl: string;
}): WalletOffers {
  const { database, makeBadge, secrets, publicUrl } = deps;
  const { knex } = database;

  return {
    async create(credential) {
      const txCode = String(randomInt(10 ** TX_CODE_DIGITS)).padStart(TX_CODE_DIGITS, "0");
      const { code, expires } = await offer(credential, txCode);
      return { offerUri: offerUri(publicUrl, code), txCode, expires };
    },

    async createOpen(credential) {
      const { code } = await offer(credential, undefined);
      return offerOf(publicUrl, code);
    },

    async token(code, txCode) {
      const redeemable = await countAttempt(knex, hashOf(code));
      if (redeemable && (redeemable.txCodeHash === null) !== (txCode === undefined)) {
        const what = txCode === undefined ? "requires" : "was offered without";
        throw new WalletError("invalid_request", `The code ${what} a transaction code.`);
      }
      const isRight = redeemable !== undefined && isExpected(redeemable.txCodeHash, code, txCode);
      const token = randomBytes(CODE_BYTES).toString("base64url");
      const redeemed = { hash: hashOf(token), lifetimeS: TOKEN_LIFETIME_S };
      if (!isRight || !(await setToken(knex, hashOf(code), redeemed))) {
        throw new WalletError(
          "invalid_grant",
          "The code is unknown, expired or used, its credential was withdrawn, or the transaction code is wrong.",
        );
      }
      return token;
    },

    nonce: () => newNonce(secrets[0], Date.now()),

    async credential(token, format, proof) {
      const tokenHash = hashOf(token);
      const uuid = await findByToken(knex, tokenHash);
      if (uuid === undefined)
        throw new WalletError("invalid_token", "The access token is unknown or expired.");
      const { holder, nonce } = await checkHolderProof(proof, publicUrl);
      const isNew =
        isNonce(secrets, nonce, Date.now()) && (await spendNonce(knex, hashOf(nonce), NONCE_LIFETIME_S));
      if (!isNew) throw new WalletError("invalid_nonce", "The nonce is unknown, expired or used.");
      const badge = await badgeFor(uuid, format, holder);
      if (!(await markIssued(knex, tokenHash, format))) {
        throw new WalletError("credential_request_denied", `This token was already used for ${format}.`);
      }
      return badge;
    },
  };

  async function offer(credential: Credential, txCode: string | undefined) {
    await makeBadge(credential, "json"); // throws if the credential has no badge
    const code = randomBytes(CODE_BYTES).toString("base64url");
    const expires = await insertOffer(knex, {
      codeHash: hashOf(code),
      credentialUuid: credential.uuid,
      // The hash includes the code, because six digits alone could be found by hashing all combinations.
      txCodeHash: txCode === undefined ? null : hashOf(`${code} ${txCode}`),
      lifetimeS: CODE_LIFETIME_S,
    });
    return { code, expires };
  }

  async function badgeFor(uuid: string, format: WalletFormat, holder: string): Promise<string> {
    try {
      return await makeBadge(await getCredential(knex, uuid), format === "ldp_vc" ? "json" : "jwt", holder);
    } catch (error) {
      if (!(error instanceof Problem) || error.outage !== undefined) throw error;
      throw new WalletError("credential_request_denied", error.message);
    }
  }
}

function isExpected(txCodeHash: Buffer | null, code: string, txCode: string | undefined): boolean {
  return txCodeHash === null || timingSafeEqual(txCodeHash, hashOf(`${code} ${txCode}`));
}

function offerUri(issuer: string, code: string): string {
  const txCode = { input_mode: "numeric", length: TX_CODE_DIGITS };
  const offer = JSON.stringify(offerOf(issuer, code, txCode));
  return `openid-credential-offer://?${new URLSearchParams({ credential_offer: offer })}`;
}

function offerOf(issuer: string, code: string, txCode?: object) {
  return {
    credential_issuer: issuer,
    credential_configuration_ids: Object.keys(walletConfigurations),
    grants: {
      "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
        "pre-authorized_code": code,
        ...(txCode && { tx_code: txCode }),
      },
    },
  };
}
