import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { Problem } from "../errors.js";

/** What a door needs to speak TLS, both in PEM. */
export interface TlsIdentity {
  /** The certificate, and after it those that lead to a root. */
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Who signs the certificates of services; undefined: clients are asked for none. */
  readonly clientCa?: Buffer | undefined;
}

/** With forward secrecy only: a key that leaks later opens nothing that was recorded before. Those of TLS 1.3 all have it. */
const TLS_CIPHERS = [
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
export async function readTlsIdentity(files: {
  certFile: string;
  keyFile: string;
  clientCaFile?: string | undefined;
}): Promise<TlsIdentity> {
  const cert = await read("TLS_CERT_FILE", files.certFile);
  const key = await read("TLS_KEY_FILE", files.keyFile);
  checkCertificate("TLS_CERT_FILE", files.certFile, cert);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Problem(
      "failed-precondition",
      `TLS_KEY_FILE: ${files.keyFile} does not hold the key of the certificate, in PEM and without a passphrase.`,
      { cause },
    );
  }
  if (files.clientCaFile === undefined) return { cert, key };
  const clientCa = await read("TLS_CLIENT_CA_FILE", files.clientCaFile);
  checkCertificate("TLS_CLIENT_CA_FILE", files.clientCaFile, clientCa);
  return { cert, key, clientCa };
}

function checkCertificate(setting: string, path: string, pem: Buffer): void {
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new Problem("failed-precondition", `${setting}: ${path} holds no certificate in PEM.`, { cause });
  }
}

async function read(setting: string, path: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw new Problem("failed-precondition", `${setting}: ${path} can't be read: ${cause.message}`, {
      cause,
    });
  });
}

/** What both doors make their connections with. */
export function secureContext({ cert, key, clientCa }: TlsIdentity): SecureContextOptions {
  return { cert, key, ciphers: TLS_CIPHERS, ...(clientCa && { ca: clientCa }) };
}
