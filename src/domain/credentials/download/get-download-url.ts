import { failedPrecondition } from "#foundation/errors.js";
import type { DownloadUrl, FileStore } from "#infrastructure/files/file-store.js";
import type { Credential } from "../credential.js";
import type { FigureCounter } from "../figures/figure-counter.js";
import { wrongStatus } from "../get-credential.js";

/**
 * Returns a short-lived link to the file of an available credential.
 * @throws Problem `failed-precondition` if it is not available
 */
export async function getDownloadUrl(
  { files, figures }: { readonly files: FileStore; readonly figures: Pick<FigureCounter, "count"> },
  credential: Credential,
): Promise<DownloadUrl> {
  const url = await files.downloadUrl(availableFileKey(credential));
  figures.count("downloaded", credential.configurationId);
  return url;
}

/**
 * Returns the file key of an available credential.
 * @throws Problem `failed-precondition` if it is not available
 */
export function availableFileKey({ status, fileKey }: Credential): string {
  if (status === "available" && fileKey !== null) return fileKey;
  if (status === "available") {
    throw failedPrecondition("The learner's data was erased, and the file with it.", {
      reason: "LEARNER_ERASED",
    });
  }
  throw wrongStatus(status, "only an available one can be downloaded");
}
