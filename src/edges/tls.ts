import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { failedPrecondition } from "#foundation/errors.js";

/** Contents of PEM files. */
export interface TlsIdentity {
  /** The certificate, followed by its chain to a root. */
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The CA of client certificates; undefined if clients are not asked for a certificate. */
  readonly clientCa?: Buffer | undefined;
}

/** Ciphers with forward secrecy: recorded traffic stays secret even if the key leaks. TLS 1.3 has no others. */
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

/** @throws Problem `failed-precondition` that names the setting whose file can't be read or used */
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
    throw failedPrecondition(
      `TLS_KEY_FILE: ${files.keyFile} does not contain the private key of the certificate as PEM without a passphrase.`,
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
    throw failedPrecondition(`${setting}: ${path} contains no certificate in PEM.`, { cause });
  }
}

async function read(setting: string, path: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw failedPrecondition(`${setting}: ${path} can't be read: ${cause.message}`, {
      cause,
    });
  });
}

export function secureContext({ cert, key, clientCa }: TlsIdentity): SecureContextOptions {
  return { cert, key, ciphers: TLS_CIPHERS, ...(clientCa && { ca: clientCa }) };
}
