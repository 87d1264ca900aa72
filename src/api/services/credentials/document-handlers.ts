import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type BadgeFileFormat, makeBadgeFile } from "#domain/credentials/badges/badge-file.js";
import type { MakeBadge } from "#domain/credentials/badges/make-badge.js";
import type { MakeRecord } from "#domain/credentials/badges/make-record.js";
import type * as domain from "#domain/credentials/credential.js";
import { getDownloadUrl } from "#domain/credentials/download/get-download-url.js";
import type { FigureCounter } from "#domain/credentials/figures/figure-counter.js";
import type { PrintRecord } from "#domain/credentials/generation/print-record.js";
import { getCredential, noSuchCredential } from "#domain/credentials/get-credential.js";
import type { Wallets } from "#domain/credentials/wallets/open-wallets.js";
import type { CredentialStatus as Status } from "#foundation/credential-status.js";
import { failedPrecondition } from "#foundation/errors.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  type CredentialService,
  LearnerRecordFormat,
  LearnerRecordFormatSchema,
  VerifiableCredentialFormat,
  VerifiableCredentialFormatSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { isStaff, organisationsOf } from "#infrastructure/identity/caller.js";
import { type Call, callerName, type Handlers } from "../../pipeline/handlers.js";
import { learnerOf } from "../requests/learner-of.js";
import { parseEnum } from "../requests/parse-enum.js";

/** The methods of `CredentialService` that return documents, badges and records to learners and staff. */
export function documentHandlers(
  deps: {
    database: Database;
    files: FileStore;
    figures: FigureCounter;
    makeBadge: MakeBadge;
    makeRecord: MakeRecord;
    printRecord: PrintRecord;
    wallets: Wallets | undefined;
  },
  shownToOwner: readonly Status[],
) {
  const { database } = deps;

  /** @throws Problem `not-found`, also if the caller is the learner but ListMyCredentials doesn't show it to them */
  async function forStaffOrOwner(uuid: string, { caller, signal }: Call): Promise<domain.Credential> {
    const credential = await inSnapshot(database, signal, (transaction) => getCredential(transaction, uuid));
    const { username, status } = credential;
    if (isStaff(caller)) return credential;
    if (username !== callerName(caller) || !shownToOwner.includes(status)) throw noSuchCredential();
    return credential;
  }

  return {
    async getDownloadUrl({ uuid }, call) {
      const credential = await forStaffOrOwner(uuid, call);
      const { url, expires } = await getDownloadUrl(deps, credential);
      return { url, ...(expires && { expireTime: timestampFromDate(expires) }) };
    },

    async getVerifiableCredential({ uuid, format }, call) {
      const wanted = parseFormat(format);
      return makeBadgeFile(deps.makeBadge, await forStaffOrOwner(uuid, call), wanted);
    },

    async getLearnerRecord({ username: named, format, language }, call) {
      const isPdf = isPdfRequested(format);
      checkText("language", language, { min: 0, max: 35 });
      const { caller, signal } = call;
      const { username } = learnerOf(named, call);
      const organisations = username === callerName(caller) ? undefined : organisationsOf(caller);
      const record = await deps.makeRecord({ username, organisations }, signal);
      const { json, credentials, isPartial } = record;
      const content = isPdf ? await deps.printRecord(record, language, signal) : Buffer.from(json);
      const mediaType = isPdf ? "application/pdf" : "application/vc";
      return { content, mediaType, badgeCount: credentials.length, isPartial };
    },

    async createWalletOffer({ uuid }, call) {
      const credential = await forStaffOrOwner(uuid, call);
      if (!deps.wallets) {
        throw failedPrecondition(
          "Wallets require an issuer with HTTPS: set PUBLIC_URL to a URL that starts with https://, and SIGNING_KEY_FILES.",
          { reason: "NO_HTTPS" },
        );
      }
      const { offerUri, txCode, expires } = await deps.wallets.offers.create(credential);
      const interactionUrl = deps.wallets.links.url(credential);
      return { offerUri, txCode, expireTime: timestampFromDate(expires), interactionUrl };
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

function parseFormat(format: VerifiableCredentialFormat): BadgeFileFormat {
  const { JSON: json, JWT: jwt, PNG: png, SVG: svg, UNSPECIFIED } = VerifiableCredentialFormat;
  if (format === UNSPECIFIED) return "json";
  return parseEnum("format", { json, jwt, png, svg }, format, VerifiableCredentialFormatSchema);
}

function isPdfRequested(format: LearnerRecordFormat): boolean {
  const { JSON: json, PDF: pdf, UNSPECIFIED } = LearnerRecordFormat;
  if (format === UNSPECIFIED) return false;
  return parseEnum("format", { json, pdf }, format, LearnerRecordFormatSchema) === "pdf";
}
