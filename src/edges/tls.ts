import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { Problem } from "../errors.js";

/** What a door needs to speak TLS, both in PEM. */
export interface TlsIdentity {
  /** The certificate, and after it those that lead to a root. */
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** With forward secrecy only: a key that leaks later opens nothing that was recorded before. Those of TLS 1.3 all have it. */
export const TLS_CIPHERS = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
].join(":");

/**
 * Reads the certificate and the key of the doors.
 * @throws Problem `failed-precondition` naming the setting whose file can't be read or used
 */
export async function readTlsIdentity(files: { certFile: string; keyFile: string }): Promise<TlsIdentity> {
  const cert = await read("TLS_CERT_FILE", files.certFile);
  const key = await read("TLS_KEY_FILE", files.keyFile);
  try {
    new X509Certificate(cert);
  } catch (cause) {
    throw new Problem(
      "failed-precondition",
      `TLS_CERT_FILE: ${files.certFile} holds no certificate in PEM.`,
      {
        cause,
      },
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Problem(
      "failed-precondition",
      `TLS_KEY_FILE: ${files.keyFile} does not hold the key of the certificate, in PEM and without a passphrase.`,
      { cause },
    );
  }
  return { cert, key };
}

async function read(setting: string, path: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw new Problem("failed-precondition", `${setting}: ${path} can't be read: ${cause.message}`, {
      cause,
    });
  });
}
