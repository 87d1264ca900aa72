import { createHash } from "node:crypto";
import { findCredential } from "#domain/credentials/credential-store.js";
import type { GenerationDeps } from "#domain/credentials/generation/generate-credential.js";
import { documentAttributes, renderCredential } from "#domain/credentials/generation/render-credential.js";
import { Problem } from "#foundation/errors.js";
import type { Finding } from "./finding.js";
import type { RepairOutcome } from "./repair-outcome.js";

/**
 * Renders the file of a credential again. Stores it under its original key, but only if the bytes are identical to the
 * original. They differ if the document is encrypted or if the rendering has changed since.
 */
export async function repairFile(
  deps: GenerationDeps,
  { credentialUuid = "" }: Finding,
): Promise<RepairOutcome> {
  const { database, files } = deps;
  const credential = await findCredential(database.knex, credentialUuid);
  if (!credential?.fileKey) return { because: "the credential has changed in the meantime" };
  const { fileKey, status } = credential;
  const made = await renderCredential(deps, credential).catch(reasonOf);
  if ("because" in made) return made;
  const { bytes } = made;
  if (createHash("sha256").update(bytes).digest("hex") !== credential.fileSha256)
    return { because: "the file generated now is different" };

  await files.put(fileKey, bytes, documentAttributes(credential));
  // If the credential was invalidated or erased meanwhile, the job that moves or deletes its file found no file. The
  // repaired file is then deleted.
  const now = await findCredential(database.knex, credentialUuid);
  if (now?.fileKey === fileKey && now.status === status) return "repaired";
  await files.delete(fileKey);
  return { because: "the credential has changed in the meantime" };
}

function reasonOf(error: unknown): { because: string } {
  if (error instanceof Problem && error.kind === "unavailable") throw error;
  return { because: `the file can't be generated again: ${(error as Error).message}` };
}
