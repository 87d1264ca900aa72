import type { SigningKey } from "../badges/public-key.js";
import type { Signer } from "../badges/signer.js";
import { Problem } from "../errors.js";
import { createTimestamps, shown, type Timestamps } from "../sealing/timestamps.js";
import { type NoteKey, type NoteKeyKind, writeKey } from "../transparency/note.js";
import type { Config } from "./config.js";
import { readTsaAnchors, type SealReport, toldBy } from "./seals.js";
import { openKey } from "./signing-keys.js";

/** What signs the log of events, and who stamps it. */
export interface LogSigning {
  readonly key: NoteSigner;
  readonly tsas: readonly Tsa[];
}

/** A key that signs notes under any name. */
export interface NoteSigner {
  as(name: string, kind: NoteKeyKind): NoteKey;
  sign(text: string): Promise<Uint8Array>;
}

/** One timestamp authority. */
export interface Tsa {
  /** Its address, without what may be secret in it. */
  readonly name: string;
  readonly of: Timestamps["of"];
}

/** For as long, an authority that failed is left alone. No document waits for the log's. */
const PAUSE_MS = 5 * 60_000;

/**
 * Opens what signs the log.
 * @returns undefined if the settings name no key: there is no log
 * @throws Problem `failed-precondition` naming the file and what is wrong with it
 */
export async function openLogSigning(
  { logKeyFile, timestamps: { urls, caFile } }: Pick<Config, "logKeyFile" | "timestamps">,
  signers: readonly Signer[],
  report: SealReport,
): Promise<LogSigning | undefined> {
  if (logKeyFile === undefined) return undefined;
  const anchors = await readTsaAnchors(caFile);
  return {
    key: await openNoteKey(logKeyFile, signers, "LOG_KEY_FILE"),
    tsas: urls.map((url) => ({
      name: shown(url),
      of: createTimestamps({ urls: [url], anchors, pauseMs: PAUSE_MS, ...toldBy(report) }).of,
    })),
  };
}

export async function openNoteKey(
  named: string,
  signers: readonly Signer[],
  setting: string,
): Promise<NoteSigner> {
  const key = await openKey(named, signers, setting);
  const publicKey = publicKeyOf(key);
  if (!publicKey)
    throw new Problem("failed-precondition", `${setting}: ${named} holds a P-256 key: it must be Ed25519.`);
  return {
    as: (name, kind) => ({ name, kind, publicKey }),
    sign: (text) => key.sign(Buffer.from(text)),
  };
}

/** Returns a key as others' settings take it. */
export function verifierKey(signer: NoteSigner, name: string, kind: NoteKeyKind): string {
  return writeKey(signer.as(name, kind));
}

function publicKeyOf({ jwk }: SigningKey): Buffer | undefined {
  return jwk.kty === "OKP" ? Buffer.from(jwk.x, "base64url") : undefined;
}
