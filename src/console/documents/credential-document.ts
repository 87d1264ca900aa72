import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { queryClient } from "../service/api.js";
import { isSignedOut, reportUnreachable } from "../service/connection.js";
import { HOME } from "../service/home.js";
import { settings } from "../service/settings.js";

const MAX_RETRIES = 3;
const RETRY_MS = 500;

/** Returns a URL of the PDF that is valid for some minutes, regardless of where the file is stored. */
export async function documentAddress(transport: Transport, uuid: string): Promise<string> {
  const { url } = await callUnaryMethod(transport, CredentialService.method.getDownloadUrl, { uuid });
  // The browser may use another host name than the public URL.
  return url.startsWith(`${settings.publicUrl}/`) ? `${HOME}..${url.slice(settings.publicUrl.length)}` : url;
}

/** Reads a credential's PDF through this service. The content security policy forbids all other origins. */
export async function readDocument(uuid: string): Promise<Uint8Array> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${HOME}documents/${uuid}`, { method: "POST" }).catch((error) => {
      reportUnreachable(() => void queryClient.invalidateQueries());
      throw error;
    });
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 403) isSignedOut.set(true);
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || attempt === MAX_RETRIES) throw new Error(`the service answered ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * 2 ** attempt));
  }
}
