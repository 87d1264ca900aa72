import type { SigningKey } from "#formats/badges/public-key.js";
import type { Signer } from "#formats/badges/signer.js";
import { createTimestamps, shown, type Timestamps } from "#formats/sealing/timestamps.js";
import { type NoteKey, type NoteKeyKind, writeKey } from "#formats/transparency/note.js";
import { type LogPolicy, readPolicy } from "#formats/transparency/policy.js";
import { createWitnessClient, type WitnessClient } from "#formats/transparency/witness.js";
import { failedPrecondition } from "#foundation/errors.js";
import type { KeySettings } from "./key-settings.js";
import { reading, readTsaAnchors, reportingTo, type SealReport } from "./seals.js";
import { openKey, readSmall } from "./signing-keys.js";

export interface LogSigning {
  readonly key: NoteSigner;
  readonly tsas: readonly Tsa[];
  readonly witnesses: readonly WitnessClient[];
}

/** Signs checkpoints of other logs, as their witness. */
export interface WitnessSigning {
  readonly key: NoteSigner;
  readonly logs: readonly NoteKey[];
}

/** Signs notes under any name. */
interface NoteSigner {
  as(name: string, kind: NoteKeyKind): NoteKey;
  sign(text: string): Promise<Uint8Array>;
}

interface Tsa {
  /** The authority's URL, without secrets. */
  readonly name: string;
  readonly of: Timestamps["of"];
}

type Settings = Pick<KeySettings, "logKeyFile" | "logPolicyFile">;

/**
 * How long an authority is skipped after a failure. The pause delays no documents, because they don't need the log's
 * timestamps.
 */
const PAUSE_MS = 5 * 60_000;

/**
 * Returns `undefined` if the settings have no log key. The service then keeps no log.
 * @throws Problem `failed-precondition` naming the file and its fault
 */
export async function openLogSigning(
  { logKeyFile, logPolicyFile, timestamps: { urls, caFile } }: Settings & Pick<KeySettings, "timestamps">,
  signers: readonly Signer[],
  report: SealReport,
): Promise<LogSigning | undefined> {
  if (logKeyFile === undefined) return undefined;
  const anchors = await readTsaAnchors(caFile);
  const logFailure = (witness: string, err: Error) =>
    report.log.warn({ witness, err }, "witness did not return a cosignature");
  return {
    key: await openNoteKey(logKeyFile, signers, "LOG_KEY_FILE"),
    tsas: urls.map((url) => ({
      name: shown(url),
      of: createTimestamps({ urls: [url], anchors, pauseMs: PAUSE_MS, ...reportingTo(report) }).of,
    })),
    witnesses: (await readPolicyFile(logPolicyFile)).witnesses.flatMap(({ key, url }) =>
      url === undefined ? [] : [createWitnessClient({ key, url, onFailure: logFailure })],
    ),
  };
}

/**
 * Returns `undefined` if the settings have no witness key.
 * @throws Problem `failed-precondition` naming the file and its fault
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

async function readPolicyFile(path: string | undefined): Promise<Pick<LogPolicy, "logs" | "witnesses">> {
  if (path === undefined) return { logs: [], witnesses: [] };
  return reading("LOG_POLICY_FILE", path, async () => readPolicy(await readSmall(path)));
}

async function openNoteKey(named: string, signers: readonly Signer[], setting: string): Promise<NoteSigner> {
  const key = await openKey(named, signers, `${setting}, which takes an Ed25519 key`);
  const publicKey = publicKeyOf(key);
  if (!publicKey)
    throw failedPrecondition(`${setting}: ${named} contains a P-256 key; an Ed25519 key is required.`);
  return {
    as: (name, kind) => ({ name, kind, publicKey }),
    sign: (text) => key.sign(Buffer.from(text)),
  };
}

/** Returns the public key that other services enter in their settings to verify the signer's notes: see `writeKey`. */
export function verifierKey(signer: NoteSigner, name: string, kind: NoteKeyKind): string {
  return writeKey(signer.as(name, kind));
}

function publicKeyOf({ jwk }: SigningKey): Buffer | undefined {
  return jwk.kty === "OKP" ? Buffer.from(jwk.x, "base64url") : undefined;
}
