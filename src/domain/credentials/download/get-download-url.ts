import { failedPrecondition } from "#foundation/errors.js";
import type { DownloadUrl, FileStore } from "#infrastructure/files/file-store.js";
import type { Credential } from "../credential.js";
import type { FigureCounter } from "../figures/figure-counter.js";
import { wrongStatus } from "../get-credential.js";

/**
 * Returns a link that expires soon, and counts a download.
 * @throws Problem `failed-precondition` if the credential is not available
 */
export async function getDownloadUrl(
  { files, figures }: { readonly files: FileStore; readonly figures: Pick<FigureCounter, "count"> },
  credential: Credential,
): Promise<DownloadUrl> {
  const url = await files.downloadUrl(availableFileKey(credential));
  figures.count("downloaded", credential.configurationId);
  return url;
}

/** @throws Problem `failed-precondition` if the credential is not available, or its file was erased */
export function availableFileKey({ status, fileKey }: Credential): string {
  if (status === "available" && fileKey !== null) return fileKey;
  if (status === "available") {
    throw failedPrecondition("The learner's data was erased, including the credential's file.", {
      reason: "LEARNER_ERASED",
    });
  }
  throw wrongStatus(status, "only an available one can be downloaded");
}
