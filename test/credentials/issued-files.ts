import { readFile } from "node:fs/promises";
import { VerifiableCredentialFormat as Format } from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { Academy } from "../support/academy.js";

/** All files of a credential. */
export type IssuedFiles = Readonly<Record<"pdf" | "json" | "jwt" | "png" | "svg", Buffer>>;

export async function issuedFiles({ filesOf, credentials }: Academy, uuid: string): Promise<IssuedFiles> {
  const [path = ""] = await filesOf(uuid);
  const badge = async (format: Format) =>
    Buffer.from((await credentials.getVerifiableCredential({ uuid, format })).content);
  return {
    pdf: await readFile(path),
    json: await badge(Format.JSON),
    jwt: await badge(Format.JWT),
    png: await badge(Format.PNG),
    svg: await badge(Format.SVG),
  };
}
