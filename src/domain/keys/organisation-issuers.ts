import { readFileSync } from "node:fs";
import { z } from "zod";
import { isOrganisation, ORGANISATION_RULE } from "#foundation/text/organisation.js";
import { readSettingsJson } from "#foundation/text/settings-json.js";
import { type IssuerProfile, issuerProfile } from "./issuer-profile.js";

/** An organisation that issues Open Badges under its own name and keys. */
export interface OrganisationIssuer {
  readonly name: string;
  readonly profile: IssuerProfile;
  /** Key files, as in SIGNING_KEY_FILES. */
  readonly signingKeyFiles: readonly string[];
  /** Undefined if PDFs get the service's seal. */
  readonly seal: SealFiles | undefined;
}

export interface SealFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Issuers by organisation, which is the `org` part of context keys. */
export type OrganisationIssuers = ReadonlyMap<string, OrganisationIssuer>;

const MAX_KEYS = 10;
const MAX_ORGANISATIONS = 1000;

const organisation = z.string().refine(isOrganisation, `must be ${ORGANISATION_RULE}`);

const issuers = z
  .record(
    organisation,
    z.strictObject({
      name: z.string().trim().min(1).max(255),
      signing_keys: z.array(z.string().min(1)).min(1).max(MAX_KEYS),
      seal: z.strictObject({ certificate: z.string().min(1), key: z.string().min(1) }).optional(),
      ...issuerProfile.shape,
    }),
  )
  .refine(
    (each) => Object.keys(each).length <= MAX_ORGANISATIONS,
    `must have at most ${MAX_ORGANISATIONS} organisations`,
  );

/**
 * Reads ISSUERS_FILE: a JSON object with a name, signing keys and a profile for each organisation. Returns the issuers,
 * or the fault in the file.
 */
export function readOrganisationIssuers(path: string): OrganisationIssuers | { readonly problem: string } {
  let content: unknown;
  try {
    content = readSettingsJson(readFileSync(path, "utf8"));
  } catch (error) {
    return { problem: `${path} can't be read as JSON: ${(error as Error).message}` };
  }
  const { data, error } = issuers.safeParse(content);
  if (!data) {
    const wrong = error.issues.map((issue) => {
      const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
      return `${issue.path.join(".") || "the file"}: ${message}`;
    });
    return { problem: `${path}: ${wrong.join("; ")}` };
  }
  return new Map(
    Object.entries(data).map(([organisation, { name, signing_keys: signingKeyFiles, seal, ...profile }]) => [
      organisation,
      {
        name,
        profile,
        signingKeyFiles,
        seal: seal && { certFile: seal.certificate, keyFile: seal.key },
      },
    ]),
  );
}
