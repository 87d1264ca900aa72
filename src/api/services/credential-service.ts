import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { InspectDocument } from "#domain/assets/inspection/inspect-asset.js";
import type { Brands } from "#domain/brands/brands.js";
import type { Functions } from "#domain/configurations/functions.js";
import { type BadgeFileFormat, makeBadgeFile } from "#domain/credentials/badges/badge-file.js";
import { type DidOf, signsNothing } from "#domain/credentials/badges/issuer.js";
import type { PublishedKeys } from "#domain/credentials/badges/issuer-key-store.js";
import type { MakeBadge } from "#domain/credentials/badges/make-badge.js";
import type { MakeRecord } from "#domain/credentials/badges/make-record.js";
import type * as domain from "#domain/credentials/credential.js";
import * as store from "#domain/credentials/credential-store.js";
import { getDownloadUrl } from "#domain/credentials/download/get-download-url.js";
import { findEmailStates } from "#domain/credentials/emails/email-states.js";
import type { KnownEmailTexts } from "#domain/credentials/emails/email-texts.js";
import type { EventFeed } from "#domain/credentials/events/event-feed.js";
import type { FigureCounter } from "#domain/credentials/figures/figure-counter.js";
import type { PrintRecord } from "#domain/credentials/generation/print-record.js";
import { getCredential, noSuchCredential } from "#domain/credentials/get-credential.js";
import type { PrintImported } from "#domain/credentials/imports/print-imported.js";
import {
  type Invalidation,
  invalidateCredential,
} from "#domain/credentials/invalidation/invalidate-credentials.js";
import { linkReplacement } from "#domain/credentials/invalidation/link-replacement.js";
import { reissueCredential } from "#domain/credentials/invalidation/reissue-credentials.js";
import { issueCredential } from "#domain/credentials/issuance/issue-credential.js";
import type { IssuingSettings } from "#domain/credentials/print-settings.js";
import type { LookUpMetadata } from "#domain/credentials/verification/look-up-verification.js";
import type { VerifiedFile, VerifyCredential } from "#domain/credentials/verification/verify-credential.js";
import type { Wallets } from "#domain/credentials/wallets/open-wallets.js";
import {
  findInReview,
  findRequiring,
  findWithdrawnParts,
  resolveReview,
} from "#domain/credentials/withdrawn-parts.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import type { CredentialStatus as Status } from "#foundation/credential-status.js";
import { failedPrecondition, invalid, Problem, wrongField } from "#foundation/errors.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import { CredentialStatus, CredentialStatusSchema } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  type CredentialService,
  type InvalidateCredentialRequest,
  LearnerRecordFormat,
  LearnerRecordFormatSchema,
  type ReissueCredentialRequest,
  VerifiableCredentialFormat,
  VerifiableCredentialFormatSchema,
  type VerifyCredentialRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { isStaff, organisationsOf } from "#infrastructure/identity/caller.js";
import { type Call, callerName, type Handlers } from "../pipeline/handlers.js";
import { bulkHandlers } from "./bulk-credential-handlers.js";
import { checkId } from "./check-request.js";
import { claimHandlers } from "./claim-handlers.js";
import { parseCorrectedName } from "./correction-handlers.js";
import { emailHandlers } from "./email-handlers.js";
import { eventHandlers } from "./event-handlers.js";
import { figureHandlers } from "./figure-handlers.js";
import { importCredentialsHandlers } from "./import-credentials-handlers.js";
import { runHandlers } from "./issuance-run-handlers.js";
import { learnerOf } from "./learner-of.js";
import { readPage } from "./page.js";
import { parseEnum } from "./parse-enum.js";
import {
  presentCredential,
  presentCredentialToStaff,
  presentedStatus,
  presentFullCredential,
  presentMetadata,
  presentVerified,
} from "./present.js";
import { presentIssuers } from "./present-issuers.js";
import { searchHandlers } from "./search-credential-handlers.js";

/** Statuses in which learners see their own credentials. Failed ones are hidden, since only staff can fix them. */
const SHOWN_TO_OWNER: readonly Status[] = ["generating", "available", "invalidated"];

export function credentialService(deps: {
  database: Database;
  functions: Functions<Processor>;
  files: FileStore;
  figures: FigureCounter;
  lookUpMetadata: LookUpMetadata;
  verifyCredential: VerifyCredential;
  wallets: Wallets | undefined;
  publishedKeys: PublishedKeys;
  didOf: DidOf;
  eventFeed: EventFeed;
  makeBadge: MakeBadge;
  brands: Brands;
  mailTexts: KnownEmailTexts;
  makeRecord: MakeRecord;
  printRecord: PrintRecord;
  inspectDocument: InspectDocument;
  print: PrintImported;
  settings: IssuingSettings;
  /** Directory in the file store for the files of valid credentials. */
  outputDir: string;
}): Handlers<typeof CredentialService> {
  const { database, lookUpMetadata } = deps;

  async function list(
    request: { pageSize: number; pageToken: string },
    name: string,
    filter: store.CredentialFilter,
    present: (credential: domain.Credential) => ReturnType<typeof presentCredential>,
    signal: AbortSignal,
  ) {
    const { shown, nextPageToken } = await readPage(request, [name, filter], ({ afterId, limit }) =>
      inSnapshot(database, signal, (transaction) =>
        store.listCredentials(transaction, filter, afterId, limit),
      ),
    );
    return { credentials: shown.map((credential) => present(credential)), nextPageToken };
  }

  /** @throws Problem `not-found`, also if the caller is the learner but ListMyCredentials doesn't show it to them */
  async function forStaffOrOwner(uuid: string, { caller, signal }: Call): Promise<domain.Credential> {
    const credential = await inSnapshot(database, signal, (transaction) => getCredential(transaction, uuid));
    const { username, status } = credential;
    if (isStaff(caller)) return credential;
    if (username !== callerName(caller) || !SHOWN_TO_OWNER.includes(status)) throw noSuchCredential();
    return credential;
  }

  return {
    ...bulkHandlers(deps),
    ...runHandlers(deps),
    ...emailHandlers(database, deps),
    ...searchHandlers(deps),
    ...figureHandlers(deps),
    ...eventHandlers({ database, feed: deps.eventFeed }),
    ...importCredentialsHandlers(deps),
    ...claimHandlers(deps, SHOWN_TO_OWNER),

    async getCredentialMetadata({ verifyUuid }, { cancellation }) {
      const metadata = await lookUpMetadata(verifyUuid, cancellation);
      if (!metadata) throw noSuchCredential();
      return presentMetadata(metadata);
    },

    async issueCredential({ configurationId, username, skipEligibilityCheck, skipEmail }, call) {
      checkId("configuration_id", configurationId);
      checkText("username", username, { min: 1, max: 255 });
      const issuing = {
        configurationId,
        username,
        skipEligibilityCheck,
        skipsEmail: skipEmail,
        issuedBy: actorOf(call.caller),
      };
      return presentCredentialToStaff(await issueCredential(deps, issuing, call.signal));
    },

    async getCredential({ uuid }, { signal }) {
      const { credential, mails, ...parts } = await inSnapshot(database, signal, async (transaction) => {
        const credential = await getCredential(transaction, uuid);
        return {
          credential,
          mails: await findEmailStates(transaction, [credential.uuid]),
          withdrawn: await findWithdrawnParts(transaction, credential),
          requiring: await findRequiring(transaction, credential),
          inReview: await findInReview(transaction, [credential.uuid]),
        };
      });
      return presentFullCredential(credential, parts, mails.get(credential.uuid));
    },

    async listCredentials(request, { caller, signal }) {
      const { username, learningContextKey, configurationId, status } = request;
      checkText("username", username, { min: 0, max: 255 });
      if (learningContextKey !== "") parseLearningContextKey(learningContextKey);
      if (configurationId !== 0) checkId("configuration_id", configurationId);
      const statuses = parseStatus(status);
      return list(
        request,
        "credentials",
        { username, learningContextKey, configurationId, statuses, organisations: organisationsOf(caller) },
        presentCredentialToStaff,
        signal,
      );
    },

    async listMyCredentials(request, { caller, signal }) {
      const own = {
        username: callerName(caller),
        learningContextKey: "",
        configurationId: 0,
        statuses: SHOWN_TO_OWNER,
        newestFirst: request.newestFirst,
      };
      return list(request, "own credentials", own, presentCredential, signal);
    },

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

    async getIssuer(_, { cancellation }) {
      const did = deps.didOf(undefined);
      if (did === undefined) throw signsNothing();
      const keys = await deps.publishedKeys(null, cancellation);
      return presentIssuers(did, keys, deps);
    },

    async verifyCredential({ subject }, call) {
      return presentVerified(await verifySubject(deps.verifyCredential, subject, call));
    },

    async invalidateCredential(request, call) {
      const invalidation = parseInvalidation(request, call);
      return presentCredentialToStaff(await invalidateCredential(database, invalidation, call.signal));
    },

    async reissueCredential(request, call) {
      const correctedFullName = parseCorrectedName("corrected_full_name", request.correctedFullName);
      if (correctedFullName !== "" && organisationsOf(call.caller) !== undefined)
        throw new Problem(
          "permission-denied",
          "Names are shared by all organisations, so callers restricted to some can't correct them.",
        );
      const reissuing = { ...parseInvalidation(request, call), correctedFullName };
      return presentCredentialToStaff(await reissueCredential(deps, reissuing, call.signal));
    },

    async resolveReview({ uuid }, { signal }) {
      return presentCredentialToStaff(await resolveReview(database, uuid, signal));
    },

    async linkReplacement({ uuid, replacementUuid }, { caller, signal }) {
      const link = { uuid, replacementUuid, linkedBy: actorOf(caller) };
      return presentCredentialToStaff(await linkReplacement(database, link, signal));
    },
  };
}

function parseInvalidation(
  { uuid, reason, skipEmail }: InvalidateCredentialRequest | ReissueCredentialRequest,
  { caller }: Call,
): Invalidation {
  return {
    uuid,
    reason: checkShownText("reason", reason, { min: 1, max: 255 }),
    invalidatedBy: actorOf(caller),
    skipsEmail: skipEmail,
  };
}

/**
 * A file counts as ten requests: checking the most expensive ones takes 60 ms of processor time (measured), a look-up
 * less than one.
 */
const FURTHER_REQUESTS_OF_FILE = 9;

function verifySubject(
  verify: VerifyCredential,
  subject: VerifyCredentialRequest["subject"],
  call: Call,
): Promise<VerifiedFile> {
  const { cancellation, client } = call;
  switch (subject.case) {
    case "file":
      if (subject.value.length === 0)
        throw wrongField("file", "is empty: send the bytes of a PDF, PNG, SVG, JSON or JWT.");
      call.charge(FURTHER_REQUESTS_OF_FILE);
      return verify.file(subject.value, client, cancellation);
    case "fileSha256":
      if (!/^[\da-f]{64}$/i.test(subject.value))
        throw wrongField("file_sha256", "must be 64 hexadecimal digits.");
      return verify.digest(subject.value.toLowerCase(), cancellation);
    default:
      throw invalid("Neither file nor file_sha256 is given: send one of them.");
  }
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

/** @returns undefined if any status matches */
function parseStatus(status: CredentialStatus): Status[] | undefined {
  if (status === CredentialStatus.UNSPECIFIED) return undefined;
  return [parseEnum("status", presentedStatus, status, CredentialStatusSchema)];
}
