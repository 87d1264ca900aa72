import { openSeals, type Seals } from "#domain/keys/seals.js";
import type { Signer } from "#formats/badges/signer.js";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { LoadedAsset } from "#formats/rendering/generator.js";
import type { Seal } from "#formats/sealing/seal.js";
import type { Config } from "#runtime/settings/config.js";
import { ada } from "../rendering/ada.js";
import type { SealFiles } from "./authority.js";

/** Settings of seals, and a list that collects the warnings. */
export interface SealSettings extends Partial<Config["timestamps"]> {
  readonly seal?: SealFiles | undefined;
  readonly issuers?: Readonly<Record<string, SealFiles>>;
  readonly signers?: readonly Signer[];
  readonly warnings?: { about: Record<string, unknown>; message: string }[];
}

export function sealsOf(settings: SealSettings): Promise<Seals | undefined> {
  const { seal, issuers = {}, signers = [], warnings = [], ...timestamps } = settings;
  const config = {
    seal,
    issuers: new Map(Object.entries(issuers).map(([name, files]) => [name, { seal: files }])),
    timestamps: { level: "best-effort", urls: [], caFile: undefined, ...timestamps },
  } as unknown as Config;
  return openSeals(config, signers, {
    log: {
      warn: (about, message) => void warnings.push({ about: about as Record<string, unknown>, message }),
    },
    timestamp() {},
  });
}

/** Opens the service's own seal. */
export async function sealOf(settings: SealSettings): Promise<Seal> {
  const seal = (await sealsOf(settings))?.of(undefined);
  if (!seal) throw new Error("The settings name no seal.");
  return seal;
}

/** Renders a document that reserves space for this seal. */
export function withSealSlot(
  { room }: Seal,
  options: Record<string, unknown> = {},
  assets: Readonly<Record<string, LoadedAsset>> = {},
  badge = '{"type":["VerifiableCredential"]}',
): Promise<Uint8Array> {
  const seal = { at: new Date("2026-11-25T23:45:00Z"), room };
  return pdfCredentialGenerator.render({ ...ada, badge, seal }, options, new Map(Object.entries(assets)));
}
