import { queryClient } from "../service/api.js";
import { isSignedOut, reportUnreachable } from "../service/connection.js";
import { HOME } from "../service/home.js";
import { documentIfAvailable, documentIn, retryWhileBusy } from "./document-response.js";

/** Reads a credential's PDF through this service. The content security policy forbids all other origins. */
export async function readDocument(uuid: string): Promise<Uint8Array> {
  return documentIn(await retryWhileBusy(() => request(uuid)));
}

/**
 * Reads a credential's PDF like `readDocument`. Returns undefined if the credential is no longer available, for example
 * because it was withdrawn.
 */
export async function readIfAvailable(uuid: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  return documentIfAvailable(await retryWhileBusy(() => request(uuid, signal), signal));
}

async function request(uuid: string, signal: AbortSignal | null = null): Promise<Response> {
  const response = await fetch(`${HOME}documents/${uuid}`, { method: "POST", signal }).catch((error) => {
    if (!signal?.aborted) reportUnreachable(() => void queryClient.invalidateQueries());
    throw error;
  });
  if (response.status === 403) isSignedOut.set(true);
  return response;
}
