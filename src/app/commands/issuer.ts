import type { Command } from "commander";
import { issuerOf, signsNothing } from "#domain/credentials/badges/issuer.js";
import type { IssuerProfile } from "#domain/keys/issuer-profile.js";
import { failedPrecondition, Problem, printable } from "#foundation/errors.js";
import type { App } from "../app.js";
import { withApp } from "./with-app.js";

interface ConfiguredIssuer {
  readonly did: string;
  readonly name: string;
  readonly profile: IssuerProfile;
}

interface Options {
  readonly organisation?: string;
  readonly location?: string;
  readonly legalName?: string;
}

export function addCommand(program: Command): void {
  program
    .command("issuer")
    .description("print registry entries for this issuer of Open Badges")
    .command("entry")
    .description("print the entry for a DCC registry, and the metadata for an OpenID Federation registry")
    .option("--organisation <org>", "organisation that issues under its own name")
    .option("--location <place>", "location, such as: Cambridge, MA, USA")
    .option("--legal-name <name>", "legal name, if different")
    .addHelpText(
      "after",
      `
Send the entry to the registry's operator: see .docs/recognised-issuer.md. The DID is derived from PUBLIC_URL, which must
be https and must never change, because issued badges contain the DID.`,
    )
    .action((options: Options) =>
      withApp(async (app) => {
        const issuer = selectIssuers(configuredIssuers(app), options.organisation);
        process.stdout.write(
          `${[dccEntry(issuer, options), federationMetadata(issuer, options)].join("\n\n")}\n`,
        );
      }),
    );
}

/**
 * Returns the issuers to enter in registries, by organisation. The key `undefined` is the service itself.
 * @throws Problem `failed-precondition` if nothing is signed, or if the public URL is not an https URL
 */
export function configuredIssuers({
  config,
  signingKeys,
  publicUrl: url,
}: Pick<App, "config" | "signingKeys" | "publicUrl">): ReadonlyMap<string | undefined, ConfiguredIssuer> {
  if (!signingKeys) throw signsNothing();
  if (!url.startsWith("https:"))
    throw failedPrecondition(
      `PUBLIC_URL is ${url}, but registries list only permanent addresses that start with https://: set PUBLIC_URL to one.`,
    );
  const didOf = (organisation: string | undefined) => issuerOf(signingKeys.own, url, { organisation }).did;
  const profile = { ...config.issuerProfile, url: config.issuerProfile.url ?? url };
  return new Map<string | undefined, ConfiguredIssuer>([
    [undefined, { did: didOf(undefined), name: config.platformName, profile }],
    ...Array.from(config.issuers, ([organisation, own]): [string, ConfiguredIssuer] => [
      organisation,
      { did: didOf(organisation), name: own.name, profile: { ...own.profile, url: own.profile.url ?? url } },
    ]),
  ]);
}

function selectIssuers(
  issuers: ReadonlyMap<string | undefined, ConfiguredIssuer>,
  organisation: string | undefined,
): ConfiguredIssuer {
  const issuer = issuers.get(organisation);
  if (issuer) return issuer;
  throw new Problem(
    "not-found",
    `${printable(organisation ?? "")} issues no badges: neither ISSUERS_FILE nor the console names it.`,
  );
}

/** Returns an entry of `registry.json` in the format of DCC's registries and issuer-registry-client. */
function dccEntry({ did, name, profile }: ConfiguredIssuer, { location = "" }: Options): string {
  return JSON.stringify({ [did]: { name, location, url: profile.url } }, undefined, 2);
}

/** Returns the metadata of an entity statement about the issuer's DID. */
function federationMetadata({ did, name, profile }: ConfiguredIssuer, { legalName = name }: Options): string {
  const metadata = {
    federation_entity: {
      organization_name: name,
      homepage_uri: profile.url,
      ...(profile.image !== undefined && { logo_uri: profile.image }),
    },
    institution_additional_information: { legal_name: legalName },
  };
  return JSON.stringify({ sub: did, metadata }, undefined, 2);
}
