import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type BadgeFileFormat, makeBadgeFile } from "#domain/credentials/badges/badge-file.js";
import type { MakeBadge } from "#domain/credentials/badges/make-badge.js";
import type { MakeRecord } from "#domain/credentials/badges/make-record.js";
import { availableFileKey, getDownloadUrl } from "#domain/credentials/download/get-download-url.js";
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
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { isConsole, isStaff, organisationsOf } from "#infrastructure/identity/caller.js";
import { type Call, callerName, type Handlers } from "../../pipeline/handlers.js";
import { learnerOf } from "../requests/learner-of.js";
import { numbersByName, parseOptionalEnum } from "../requests/parse-enum.js";

/** Statuses of credentials that learners can see. Failed credentials are hidden, because only staff can fix them. */
export const SHOWN_TO_OWNER: readonly Status[] = ["generating", "available", "invalidated"];

interface BadgeDeps {
  readonly database: Database;
  readonly makeBadge: MakeBadge;
}

export function documentHandlers(
  deps: BadgeDeps & {
    files: FileStore;
    figures: FigureCounter;
    makeRecord: MakeRecord;
    printRecord: PrintRecord;
    wallets: Wallets | undefined;
  },
) {
  return {
    ...badgeHandlers(deps),

    async getDownloadUrl({ uuid }, call) {
      const credential = await forStaffOrOwner(deps, uuid, call);
      const { url, expires } = await (isConsole(call.caller)
        ? deps.files.downloadUrl(availableFileKey(credential))
        : getDownloadUrl(deps, credential));
      return { url, ...(expires && { expireTime: timestampFromDate(expires) }) };
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
      const credential = await forStaffOrOwner(deps, uuid, call);
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

export function badgeHandlers(deps: BadgeDeps) {
  return {
    async getVerifiableCredential({ uuid, format }, call) {
      const wanted = parseFormat(format);
      return makeBadgeFile(deps.makeBadge, await forStaffOrOwner(deps, uuid, call), wanted);
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

/** @throws Problem `not-found` if the credential doesn't exist, or if a learner may not see it */
async function forStaffOrOwner({ database }: BadgeDeps, uuid: string, { caller, signal }: Call) {
  const credential = await inSnapshot(database, signal, (transaction) => getCredential(transaction, uuid));
  const { username, status } = credential;
  if (isStaff(caller) || (username === callerName(caller) && SHOWN_TO_OWNER.includes(status)))
    return credential;
  throw noSuchCredential();
}

function parseFormat(format: VerifiableCredentialFormat): BadgeFileFormat {
  const formats = numbersByName(VerifiableCredentialFormat);
  return parseOptionalEnum("format", formats, format, VerifiableCredentialFormatSchema) ?? "json";
}

function isPdfRequested(format: LearnerRecordFormat): boolean {
  const formats = numbersByName(LearnerRecordFormat);
  return parseOptionalEnum("format", formats, format, LearnerRecordFormatSchema) === "pdf";
}
