import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { hex, type PdfDictionary } from "./pdf-object.js";

export interface Encryption {
  readonly dictionary: PdfDictionary;
  encrypt(bytes: Uint8Array): Buffer;
}

// The permissions to print, to print in high quality, and to extract content (ISO 32000-2, table 22). Reserved bits
// that must be 1 are 1.
const permissions = 0xfffff0c0 | 0b1010_0001_0100;

/**
 * Creates AES-256 encryption for a PDF (security handler revision 6; ISO 32000-2, 7.6.4). Anyone can open the file.
 * Changing it requires the owner password, which is random and never stored.
 */
export function createEncryption(): Encryption {
  const key = randomBytes(32);
  const user = passwordEntry(Buffer.alloc(0), Buffer.alloc(0), key);
  const owner = passwordEntry(Buffer.from(randomBytes(24).toString("base64")), user.check, key);
  return {
    dictionary: {
      Filter: "/Standard",
      V: 5,
      R: 6,
      Length: 256,
      CF: { StdCF: { CFM: "/AESV3", AuthEvent: "/DocOpen", Length: 32 } },
      StmF: "/StdCF",
      StrF: "/StdCF",
      P: String(permissions | 0),
      Perms: hex(encryptedPermissions(key)),
      U: hex(user.check),
      UE: hex(user.wrappedKey),
      O: hex(owner.check),
      OE: hex(owner.wrappedKey),
    },
    encrypt(bytes) {
      const iv = randomBytes(16);
      const cipher = createCipheriv("aes-256-cbc", key, iv);
      return Buffer.concat([iv, cipher.update(bytes), cipher.final()]);
    },
  };
}

/** Returns a password's check value, and the file's key encrypted with the password (algorithms 8 and 9). */
function passwordEntry(
  password: Buffer,
  userCheck: Buffer,
  key: Buffer,
): { check: Buffer; wrappedKey: Buffer } {
  const checkSalt = randomBytes(8);
  const keySalt = randomBytes(8);
  const check = Buffer.concat([hash(password, checkSalt, userCheck), checkSalt, keySalt]);
  const wrapping = hash(password, keySalt, userCheck);
  return { check, wrappedKey: withoutPadding("aes-256-cbc", wrapping, Buffer.alloc(16), key) };
}

/** Implements algorithm 2.B of ISO 32000-2. */
function hash(password: Buffer, salt: Buffer, userCheck: Buffer): Buffer {
  let result = createHash("sha256").update(password).update(salt).update(userCheck).digest();
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array<Buffer>(64).fill(Buffer.concat([password, result, userCheck])));
    const mixed = withoutPadding("aes-128-cbc", result.subarray(0, 16), result.subarray(16, 32), repeated);
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    result = createHash(["sha256", "sha384", "sha512"][remainder] ?? "")
      .update(mixed)
      .digest();
    last = mixed.at(-1) ?? 0;
  }
  return result.subarray(0, 32);
}

/** Implements algorithm 10 of ISO 32000-2. */
function encryptedPermissions(key: Buffer): Buffer {
  const block = Buffer.alloc(16, 0xff);
  block.writeInt32LE(permissions | 0, 0);
  block.write("Tadb", 8, "latin1");
  randomBytes(4).copy(block, 12);
  return withoutPadding("aes-256-ecb", key, null, block);
}

function withoutPadding(cipherName: string, key: Buffer, iv: Buffer | null, bytes: Buffer): Buffer {
  const cipher = createCipheriv(cipherName, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}
