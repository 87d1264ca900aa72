import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { settings } from "../service/settings.js";

/** An address that leads to the PDF for some minutes; on this service itself where its own store has it. */
export async function documentAddress(transport: Transport, uuid: string): Promise<string> {
  const { url } = await callUnaryMethod(transport, CredentialService.method.getDownloadUrl, { uuid });
  // The service may be reached here by another name than the public one.
  return url.startsWith(`${settings.publicUrl}/`) ? url.slice(settings.publicUrl.length) : url;
}

/** Reads the PDF of a credential. */
export async function readDocument(transport: Transport, uuid: string): Promise<Uint8Array> {
  const answer = await fetch(await documentAddress(transport, uuid));
  if (!answer.ok) throw new Error(`the store answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
