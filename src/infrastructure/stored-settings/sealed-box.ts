import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts stored content (AES-256-GCM), so that the database alone reveals nothing. */
export interface SealedBox {
  /** Whether there is a secret to encrypt with. */
  readonly canSeal: boolean;
  /**
   * Returns the initialisation vector, the tag and the encrypted content.
   * @param place where the content is stored. The content can't be decrypted in another place
   */
  seal(place: string, content: Buffer): Buffer;
  /** Returns undefined if the content was sealed with another secret, or for another place. */
  unseal(place: string, sealed: Buffer): UnsealedContent | undefined;
}

export interface UnsealedContent {
  readonly content: Buffer;
  /** False if an earlier secret encrypted the content. */
  readonly isCurrent: boolean;
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param secrets the first encrypts; all of them decrypt
 * @param purpose makes the keys differ from those that other purposes derive from the same secrets
 */
export function createSealedBox(secrets: readonly string[], purpose: string): SealedBox {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)));
  return {
    canSeal: keys.length > 0,
    seal(place, content) {
      const [key] = keys;
      if (!key) throw new Error("there is no secret to encrypt with");
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
      const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    },
    unseal(place, sealed) {
      for (const [index, key] of keys.entries()) {
        try {
          const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES))
            .setAAD(Buffer.from(place))
            .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
          const content = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
          return { content: Buffer.concat([content, decipher.final()]), isCurrent: index === 0 };
        } catch {
          // Another secret encrypted the content.
        }
      }
      return undefined;
    },
  };
}
