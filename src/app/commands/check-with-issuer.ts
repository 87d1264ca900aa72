import { createHash } from "node:crypto";
import type { BadgeVerdict } from "#formats/badges/judge-badge.js";
import { fetchJson } from "./fetch-json.js";

const METHOD = "learning_credentials.v1.CredentialService/VerifyCredential";

/** Explanations of the issuer's verdicts, except for the expected one. */
const problemOf: Readonly<Record<string, string | undefined>> = {
  CREDENTIAL_VERDICT_GENUINE:
    "The issuer has issued this file for a different credential from the one in its badge.",
  CREDENTIAL_VERDICT_WITHDRAWN: "The issuer has withdrawn the credential.",
  CREDENTIAL_VERDICT_EXPIRED: "According to its issuer, the credential has expired.",
  CREDENTIAL_VERDICT_UNKNOWN:
    "The issuer has no record of this file: it was created or changed by someone else, or the record was erased.",
};

/**
 * Asks the issuer of a valid badge whether this PDF is the issued file. Sends only the file's SHA-256.
 *
 * The file can't choose the address of the request. The address comes from the status list URL in the signed badge, and
 * that list has already been verified as signed by the issuer.
 * @returns what is wrong with the file; undefined if it is the issued file and still valid
 * @throws Error with the reason why the issuer can't confirm the file
 */
export async function checkWithIssuer(
  pdf: Uint8Array,
  { id, statusListUrl }: BadgeVerdict,
): Promise<string | undefined> {
  const base = /^(.+?)(?:\/organisations\/[^/]+)?\/status\/\d+$/.exec(statusListUrl ?? "")?.[1];
  if (base === undefined) throw new Error("its badge names no service that can confirm the file");
  const url = `${base}/${METHOD}`;
  const answer = await fetchJson(url, { fileSha256: createHash("sha256").update(pdf).digest("hex") });
  const { verdict, verifyUuid } = (answer ?? {}) as Record<string, unknown>;
  if (verdict === "CREDENTIAL_VERDICT_GENUINE" && id === `urn:uuid:${verifyUuid}`) return undefined;
  const problem = problemOf[String(verdict)];
  if (problem === undefined) throw new Error(`${url} returned no verdict`);
  return problem;
}
