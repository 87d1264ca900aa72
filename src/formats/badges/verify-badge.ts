import { assertionKey, didDocumentUrl, keyOfDidKey } from "./did-document.js";
import { fetchOnce } from "./fetch-once.js";
import { isSignatureBy } from "./is-signature-by.js";
import { type BadgeVerdict, type Issuers, judgeBadge } from "./judge-badge.js";
import { judgeRecord, type RecordVerdict } from "./judge-record.js";
import type { PublicKey } from "./public-key.js";

/** Fetches a JSON document, or rejects. The caller decides which hosts to refuse. */
type FetchJson = (url: string) => Promise<unknown>;

/**
 * Verifies that a badge of any issuer is completely signed by that issuer, valid at `now`, and not revoked.
 * @param badge JSON, or a JWT
 * @returns undefined if the text is not an Open Badge
 */
export function verifyBadge(
  badge: string,
  fetchJson: FetchJson,
  now: Date,
): Promise<BadgeVerdict | undefined> {
  return judgeBadge(badge, issuersOfWeb(fetchJson), now);
}

/**
 * Verifies a Comprehensive Learner Record of any issuer, and each badge in it.
 * @param text JSON, or a JWT
 * @returns undefined if the text is not a learner record
 */
export function verifyRecord(
  text: string,
  fetchJson: FetchJson,
  now: Date,
): Promise<RecordVerdict | undefined> {
  return judgeRecord(text, issuersOfWeb(fetchOnce(fetchJson)), now);
}

/** Finds keys and status lists at the addresses in the badge. */
function issuersOfWeb(fetchJson: FetchJson): Issuers {
  return {
    isSignatureBy: (key, signed) => isSignatureBy(key as PublicKey, signed),
    async findStatusList(url, issuer) {
      return { document: await fetchJson(url), id: url, issuer };
    },
    async findKey(issuer, keyUrl) {
      const own = keyOfDidKey(issuer);
      if (own) return keyUrl === `${issuer}#${own.fragment}` ? own : undefined;
      const url = didDocumentUrl(issuer);
      if (url === undefined)
        throw new Error("the issuer's identifier is neither a did:web nor a did:key with an Ed25519 key.");
      const document = await fetchJson(url);
      const { id } = (document ?? {}) as { readonly id?: unknown };
      return id === issuer ? assertionKey(document, keyUrl) : undefined;
    },
  };
}
