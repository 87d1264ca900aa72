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
