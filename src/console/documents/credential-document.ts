import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { HOME } from "../service/home.js";
import { settings } from "../service/settings.js";

/** Returns a URL of the PDF that is valid for some minutes, regardless of where the file is stored. */
export async function documentAddress(transport: Transport, uuid: string): Promise<string> {
  const { url } = await callUnaryMethod(transport, CredentialService.method.getDownloadUrl, { uuid });
  // The browser may use another host name than the public URL.
  return url.startsWith(`${settings.publicUrl}/`) ? `${HOME}..${url.slice(settings.publicUrl.length)}` : url;
}
