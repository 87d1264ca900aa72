import { createHash } from "node:crypto";
import type { Verdict } from "#formats/badges/judge-badge.js";
import { fetchJson } from "./fetch-json.js";

const METHOD = "learning_credentials.v1.CredentialService/VerifyCredential";

/** Descriptions of an issuer's verdicts other than the expected one. */
const problemOf: Readonly<Record<string, string | undefined>> = {
  CREDENTIAL_VERDICT_GENUINE:
    "Its issuer has issued this file, but for another credential than the badge in it.",
  CREDENTIAL_VERDICT_WITHDRAWN: "Its issuer has withdrawn it.",
  CREDENTIAL_VERDICT_EXPIRED: "Its issuer says that it has expired.",
  CREDENTIAL_VERDICT_UNKNOWN:
    "Its issuer does not know this file: it was created or changed by someone else, or its record was erased.",
};

/**
 * Asks the issuer of a valid badge whether the PDF around it is the one that was issued. Only the SHA-256 is sent.
 *
 * The file can't choose the address of the request: it is the service whose status list the signed badge refers to, and
 * which has just served that list with the issuer's signature.
 * @returns the fault of the file; undefined if it is as it was issued, and in force
 * @throws Error saying why the issuer can't be asked
 */
export async function askIssuer(
  pdf: Uint8Array,
  { id, statusListUrl }: Verdict,
): Promise<string | undefined> {
  const base = /^(.+?)(?:\/organisations\/[^/]+)?\/status\/\d+$/.exec(statusListUrl ?? "")?.[1];
  if (base === undefined) throw new Error("its badge names no service that could confirm it");
  const url = `${base}/${METHOD}`;
  const answer = await fetchJson(url, { fileSha256: createHash("sha256").update(pdf).digest("hex") });
  const { verdict, verifyUuid } = (answer ?? {}) as Record<string, unknown>;
  if (verdict === "CREDENTIAL_VERDICT_GENUINE" && id === `urn:uuid:${verifyUuid}`) return undefined;
  const problem = problemOf[String(verdict)];
  if (problem === undefined) throw new Error(`${url} returns no verdict`);
  return problem;
}
