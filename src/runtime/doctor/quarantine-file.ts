import { findCredential } from "#domain/credentials/credential-store.js";
import type { GenerationDeps } from "#domain/credentials/generation/generate-credential.js";
import { moveInvalidatedFile } from "#domain/credentials/invalidation/move-invalidated-file.js";
import type { Finding } from "./finding.js";
import type { RepairOutcome } from "./repair-outcome.js";

/** Moves an invalidated credential's file to a key that no link contains. Deletes the copy that was found, if any. */
export async function quarantineFile(
  deps: GenerationDeps,
  { credentialUuid = "", fileKey }: Finding,
): Promise<RepairOutcome> {
  const { database, files } = deps;
  await moveInvalidatedFile(deps, credentialUuid);
  const credential = await findCredential(database.knex, credentialUuid);
  if (credential?.status !== "invalidated") return { because: "the credential has changed in the meantime" };
  if (fileKey === undefined || fileKey === credential.fileKey) return "repaired";
  const copy = await files.digest(fileKey);
  // If the moved file is missing or damaged, the copy replaces it.
  if (credential.fileKey !== null && copy?.sha256 === credential.fileSha256)
    await files.move(fileKey, credential.fileKey);
  else await files.delete(fileKey);
  return "repaired";
}
