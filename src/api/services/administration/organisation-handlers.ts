import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  keepsKeys,
  type StoredIssuer,
  type StoredIssuers,
} from "#domain/credentials/badges/stored-issuers.js";
import type { IssuerProfile } from "#domain/keys/issuer-profile.js";
import type { Seals } from "#domain/keys/seals.js";
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
  readonly openSeals: () => Promise<Seals | undefined>;
}

/** How badges describe an issuer. */
interface UsedIssuer {
  readonly name: string;
  readonly profile: IssuerProfile;
  readonly hasSeal: boolean;
  /** When the certificate of the seal expires. */
  readonly sealEnd?: Date | undefined;
}

/** Settings that describe the service itself as an issuer. */
const VARIABLES = ["PLATFORM_NAME", "ISSUER_URL", "ISSUER_DESCRIPTION", "ISSUER_IMAGE"];

type Presenting = Pick<Deps, "config" | "signingKeys" | "storedIssuers">;

/** Creates the functions that show issuers in the API. */
function issuerPresenter({ config, signingKeys, storedIssuers }: Presenting) {
  function present(organisation: string, used: UsedIssuer, stored: StoredIssuer | undefined) {
    const { url = "", description = "", image = "" } = used.profile;
    const isService = organisation === "";
    const keys = signingKeys?.of(isService ? undefined : organisation);
    return {
      ...{ name: used.name, url, description, image, hasSeal: used.hasSeal },
      ...(used.sealEnd && { sealExpireTime: timestampFromDate(used.sealEnd) }),
      keyCount: keys?.all.length ?? 0,
      isStored: stored?.isStopped === false,
      canReplaceKeys:
        config.signsBadges &&
        stored !== undefined &&
        stored.keyCount > 0 &&
        (!isService || keepsKeys(config)),
      isInFile: storedIssuers.inFile.has(organisation),
      variables: isService ? VARIABLES.filter((name) => config.shownSettings.has(name)) : [],
      problem: stored?.problem ?? "",
      etag: stored?.etag ?? "",
      ...(stored && { updateTime: timestampFromDate(stored.updatedAt) }),
    };
  }
  function presentUsed(organisation: string, stored: StoredIssuer | undefined, ends: Seals["ends"]) {
    const sealEnd = ends.find((end) => end.organisation === organisation)?.at;
    const { issuers, issuerProfile, platformName, seal } = config;
    if (organisation === "") {
      const own = { name: platformName, profile: issuerProfile, hasSeal: seal !== undefined, sealEnd };
      return present("", own, stored);
    }
    const own = issuers.get(organisation);
    return own && present(organisation, { ...own, hasSeal: own.seal !== undefined, sealEnd }, stored);
  }
  const presentFormer = (stored: StoredIssuer) =>
    present(stored.organisation, { ...stored, hasSeal: false }, stored);
  return { presentUsed, presentFormer };
}

export function organisationHandlers({ database, openSeals, ...presenting }: Deps) {
  const { config, storedIssuers } = presenting;
  const { presentUsed, presentFormer } = issuerPresenter(presenting);

  /** Returns nothing if a seal can't be opened. The health of the service then reports the reason. */
  async function readSealEnds(): Promise<Seals["ends"]> {
    const seals = await openSeals().catch(() => undefined);
    return seals?.ends ?? [];
  }

  return {
    async listOrganisations(_, { signal }) {
      await storedIssuers.refresh();
      const [rows, saved] = await inSnapshot(database, signal, async (transaction) => {
        const saved = await storedIssuers.list(transaction);
        const names = [...config.issuers.keys(), ...saved.map(({ organisation }) => organisation)];
        const listed = names.filter((name) => name !== "");
        return [await listOrganisations(transaction, listed), saved];
      });
      const ends = await readSealEnds();
      const stored = new Map(saved.map((each) => [each.organisation, each]));
      return {
        organisations: rows.map(({ organisation, contexts, hasBrand }) => {
          const own = stored.get(organisation);
          const issuer = presentUsed(organisation, own, ends);
          return {
            organisation,
            learningContextCount: contexts,
            hasBrand,
            ...(issuer && { issuer }),
            ...(!issuer && own?.isStopped && { formerIssuer: presentFormer(own) }),
          };
        }),
        defaultIssuer: presentUsed("", stored.get(""), ends),
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
        await readSealEnds(),
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
