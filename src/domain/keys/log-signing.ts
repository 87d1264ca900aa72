import type { SigningKey } from "#formats/badges/public-key.js";
import type { Signer } from "#formats/badges/signer.js";
import { createTimestamps, shown, type Timestamps } from "#formats/sealing/timestamps.js";
import { type NoteKey, type NoteKeyKind, writeKey } from "#formats/transparency/note.js";
import { type Policy, readPolicy } from "#formats/transparency/policy.js";
import { createWitnessClient, type WitnessClient } from "#formats/transparency/witness.js";
import { failedPrecondition } from "#foundation/errors.js";
import type { KeySettings } from "./key-settings.js";
import { reading, readTsaAnchors, reportingTo, type SealReport } from "./seals.js";
import { openKey, readSmall } from "./signing-keys.js";

/** What signs the log of events, and who stamps it. */
export interface LogSigning {
  readonly key: NoteSigner;
  readonly tsas: readonly Tsa[];
  /** They are asked to cosign each checkpoint. */
  readonly witnesses: readonly WitnessClient[];
}

/** What signs as a witness of others, and whose logs it knows. */
export interface WitnessSigning {
  readonly key: NoteSigner;
  readonly logs: readonly NoteKey[];
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

type Settings = Pick<KeySettings, "logKeyFile" | "logPolicyFile">;

/** For as long, an authority that failed is left alone. No document waits for the log's. */
const PAUSE_MS = 5 * 60_000;

/**
 * Opens what signs the log.
 * @returns undefined if the settings name no key: there is no log
 * @throws Problem `failed-precondition` naming the file and what is wrong with it
 */
export async function openLogSigning(
  { logKeyFile, logPolicyFile, timestamps: { urls, caFile } }: Settings & Pick<KeySettings, "timestamps">,
  signers: readonly Signer[],
  report: SealReport,
): Promise<LogSigning | undefined> {
  if (logKeyFile === undefined) return undefined;
  const anchors = await readTsaAnchors(caFile);
  const tell = (witness: string, err: Error) =>
    report.log.warn({ witness, err }, "witness did not return a cosignature");
  return {
    key: await openNoteKey(logKeyFile, signers, "LOG_KEY_FILE"),
    tsas: urls.map((url) => ({
      name: shown(url),
      of: createTimestamps({ urls: [url], anchors, pauseMs: PAUSE_MS, ...reportingTo(report) }).of,
    })),
    witnesses: (await readPolicyFile(logPolicyFile)).witnesses.flatMap(({ key, url }) =>
      url === undefined ? [] : [createWitnessClient({ key, url, onFailure: tell })],
    ),
  };
}

/**
 * Opens what signs as a witness of others' logs.
 * @returns undefined if the settings name no key for it
 * @throws Problem `failed-precondition` naming the file and what is wrong with it
 */
export async function openWitnessSigning(
  { witnessKeyFile, logKeyFile, logPolicyFile }: Settings & Pick<KeySettings, "witnessKeyFile">,
  signers: readonly Signer[],
): Promise<WitnessSigning | undefined> {
  if (witnessKeyFile === undefined) return undefined;
  if (witnessKeyFile === logKeyFile)
    throw failedPrecondition("WITNESS_KEY_FILE and LOG_KEY_FILE must name different keys.");
  const key = await openNoteKey(witnessKeyFile, signers, "WITNESS_KEY_FILE");
  return { key, logs: (await readPolicyFile(logPolicyFile)).logs };
}

async function readPolicyFile(path: string | undefined): Promise<Pick<Policy, "logs" | "witnesses">> {
  if (path === undefined) return { logs: [], witnesses: [] };
  return reading("LOG_POLICY_FILE", path, async () => readPolicy(await readSmall(path)));
}

async function openNoteKey(named: string, signers: readonly Signer[], setting: string): Promise<NoteSigner> {
  const key = await openKey(named, signers, `${setting}, which takes an Ed25519 key`);
  const publicKey = publicKeyOf(key);
  if (!publicKey) throw failedPrecondition(`${setting}: ${named} holds a P-256 key: it must be Ed25519.`);
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
