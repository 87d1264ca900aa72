import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newSigningKey } from "#formats/badges/signing-key.js";

/** Writes a key of each kind. Returns the setting that lists them. */
export async function writeSigningKeys(directory: string, prefix = "test"): Promise<string> {
  const paths = (["Ed25519", "P-256"] as const).map((kind) => ({
    kind,
    path: join(directory, `${prefix}-${kind}.pem`),
  }));
  for (const { kind, path } of paths) await writeFile(path, newSigningKey(kind), { mode: 0o600 });
  return paths.map(({ path }) => path).join(",");
}
