import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { StoredIssuer, StoredIssuers } from "#domain/credentials/badges/stored-issuers.js";
import type { IssuerProfile } from "#domain/keys/issuer-profile.js";
import type { SigningKeys } from "#domain/keys/signing-keys.js";
import { listOrganisations } from "#domain/learners/organisation-store.js";
import type { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { auditedStates } from "#infrastructure/stored-settings/stored-setting.js";
import type { Config } from "#runtime/settings/config.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { parseOrganisation } from "../configurations/brand-handlers.js";

interface Deps {
  readonly database: Database;
  readonly config: Config;
  /** undefined if the service issues no Open Badges. */
  readonly signingKeys: SigningKeys | undefined;
  readonly storedIssuers: StoredIssuers;
}

/** How badges describe an issuer. */
interface UsedIssuer {
  readonly name: string;
  readonly profile: IssuerProfile;
  readonly hasSeal: boolean;
}

/** Settings that describe the service itself as an issuer. */
const VARIABLES = ["PLATFORM_NAME", "ISSUER_URL", "ISSUER_DESCRIPTION", "ISSUER_IMAGE"];

export function organisationHandlers({ database, config, signingKeys, storedIssuers }: Deps) {
  function present(organisation: string, used: UsedIssuer, stored: StoredIssuer | undefined) {
    const { url = "", description = "", image = "" } = used.profile;
    const isService = organisation === "";
    const keys = signingKeys?.of(isService ? undefined : organisation);
    return {
      ...{ name: used.name, url, description, image, hasSeal: used.hasSeal },
      keyCount: keys?.all.length ?? 0,
      isStored: stored?.isStopped === false,
      canReplaceKeys:
        stored !== undefined && stored.keyCount > 0 && (!isService || config.signingKeyFiles.length === 0),
      isInFile: storedIssuers.inFile.has(organisation),
      variables: isService ? VARIABLES.filter((name) => config.given.has(name)) : [],
      problem: stored?.problem ?? "",
      etag: stored?.etag ?? "",
      ...(stored && { updateTime: timestampFromDate(stored.updatedAt) }),
    };
  }
  function presentUsed(organisation: string, stored: StoredIssuer | undefined) {
    const { issuers, issuerProfile, platformName, seal } = config;
    if (organisation === "") {
      const own = { name: platformName, profile: issuerProfile, hasSeal: seal !== undefined };
      return present("", own, stored);
    }
    const own = issuers.get(organisation);
    return own && present(organisation, { ...own, hasSeal: own.seal !== undefined }, stored);
  }
  const presentFormer = (stored: StoredIssuer) =>
    present(stored.organisation, { ...stored, hasSeal: false }, stored);

  return {
    async listOrganisations(_, { signal }) {
      await storedIssuers.refresh();
      const [rows, saved] = await inSnapshot(database, signal, async (transaction) => {
        const saved = await storedIssuers.list(transaction);
        const names = [...config.issuers.keys(), ...saved.map(({ organisation }) => organisation)];
        const listed = names.filter((name) => name !== "");
        return [await listOrganisations(transaction, listed), saved];
      });
      const stored = new Map(saved.map((each) => [each.organisation, each]));
      return {
        organisations: rows.map(({ organisation, contexts, hasBrand }) => {
          const own = stored.get(organisation);
          const issuer = presentUsed(organisation, own);
          return {
            organisation,
            learningContextCount: contexts,
            hasBrand,
            ...(issuer && { issuer }),
            ...(!issuer && own?.isStopped && { formerIssuer: presentFormer(own) }),
          };
        }),
        defaultIssuer: presentUsed("", stored.get("")),
        issuerObstacle: storedIssuers.obstacle ?? "",
      };
    },

    async setIssuer({ organisation, name, url, description, image, replacesKeys, etag }, call) {
      parseOrganisation("organisation", organisation);
      const entries = { organisation, name, url, description, image, replacesKeys, etag };
      const { before, after } = await storedIssuers.save(entries, call.signal);
      call.changed(`organisation:${organisation}`, ...auditedStates(before, after));
      const saved = await storedIssuers.list(database.knex);
      const issuer = presentUsed(
        organisation,
        saved.find((each) => each.organisation === organisation),
      );
      if (!issuer) throw new Error("the issuer that was just saved is missing");
      return issuer;
    },

    async deleteIssuer({ organisation, etag }, call) {
      parseOrganisation("organisation", organisation);
      const { before, after } = await storedIssuers.remove(organisation, etag, call.signal);
      call.changed(`organisation:${organisation}`, ...auditedStates(before, after));
      return {};
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}
