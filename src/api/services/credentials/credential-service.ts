import type { InspectDocument } from "#domain/assets/inspection/inspect-asset.js";
import type { Brands } from "#domain/brands/brands.js";
import type { Functions } from "#domain/configurations/functions.js";
import type { DidOf } from "#domain/credentials/badges/issuer.js";
import type { PublishedKeys } from "#domain/credentials/badges/issuer-key-store.js";
import type { MakeBadge } from "#domain/credentials/badges/make-badge.js";
import type { MakeRecord } from "#domain/credentials/badges/make-record.js";
import type * as domain from "#domain/credentials/credential.js";
import * as store from "#domain/credentials/credential-store.js";
import { findEmailStates } from "#domain/credentials/emails/email-states.js";
import type { KnownEmailTexts } from "#domain/credentials/emails/email-texts.js";
import type { EventFeed } from "#domain/credentials/events/event-feed.js";
import type { FigureCounter } from "#domain/credentials/figures/figure-counter.js";
import type { PrintRecord } from "#domain/credentials/generation/print-record.js";
import { getCredential } from "#domain/credentials/get-credential.js";
import type { PrintImported } from "#domain/credentials/imports/print-imported.js";
import type { IssuingSettings } from "#domain/credentials/print-settings.js";
import { findInReview, findLostParts, findRequiring } from "#domain/credentials/reviews.js";
import type { LookUpMetadata } from "#domain/credentials/verification/look-up-verification.js";
import type { VerifyCredential } from "#domain/credentials/verification/verify-credential.js";
import type { Wallets } from "#domain/credentials/wallets/open-wallets.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { CredentialStatusSchema } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import { callerName, type Handlers } from "../../pipeline/handlers.js";
import {
  presentCredential,
  presentCredentialToStaff,
  presentedStatus,
  presentFullCredential,
} from "../presentation/present.js";
import { checkId } from "../requests/check-request.js";
import { readPage } from "../requests/page.js";
import { parseOptionalEnum } from "../requests/parse-enum.js";
import { bulkHandlers } from "./bulk-credential-handlers.js";
import { claimHandlers } from "./claim-handlers.js";
import { documentHandlers, SHOWN_TO_OWNER } from "./document-handlers.js";
import { emailHandlers } from "./email-handlers.js";
import { eventHandlers } from "./event-handlers.js";
import { figureHandlers } from "./figure-handlers.js";
import { importCredentialsHandlers } from "./import-credentials-handlers.js";
import { invalidationHandlers } from "./invalidation-handlers.js";
import { issuingHandlers } from "./issuing-handlers.js";
import { searchHandlers } from "./search-credential-handlers.js";
import { verificationHandlers } from "./verification-handlers.js";

interface CredentialServiceDeps {
  readonly database: Database;
  readonly functions: Functions<Processor>;
  readonly files: FileStore;
  readonly figures: FigureCounter;
  readonly lookUpMetadata: LookUpMetadata;
  readonly verifyCredential: VerifyCredential;
  readonly wallets: Wallets | undefined;
  readonly publishedKeys: PublishedKeys;
  readonly didOf: DidOf;
  readonly eventFeed: EventFeed;
  readonly makeBadge: MakeBadge;
  readonly brands: Brands;
  readonly emailTexts: KnownEmailTexts;
  readonly makeRecord: MakeRecord;
  readonly printRecord: PrintRecord;
  readonly inspectDocument: InspectDocument;
  readonly print: PrintImported;
  readonly settings: IssuingSettings;
  /** Directory in the file store for files of valid credentials. */
  readonly outputDir: string;
}

export function credentialService(deps: CredentialServiceDeps): Handlers<typeof CredentialService> {
  const { database } = deps;

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

  return {
    ...bulkHandlers(deps),
    ...issuingHandlers(deps),
    ...emailHandlers(database, deps),
    ...searchHandlers(deps),
    ...figureHandlers(deps),
    ...eventHandlers({ database, feed: deps.eventFeed }),
    ...importCredentialsHandlers(deps),
    ...claimHandlers(deps, SHOWN_TO_OWNER),
    ...documentHandlers(deps),
    ...verificationHandlers(deps),
    ...invalidationHandlers(deps),

    async getCredential({ uuid }, { caller, signal }) {
      const { credential, emails, ...parts } = await inSnapshot(database, signal, async (transaction) => {
        const credential = await getCredential(transaction, uuid);
        return {
          credential,
          emails: await findEmailStates(transaction, [credential.uuid]),
          lost: await findLostParts(transaction, credential),
          requiring: await findRequiring(transaction, credential, organisationsOf(caller)),
          inReview: await findInReview(transaction, [credential.uuid]),
        };
      });
      return presentFullCredential(credential, parts, emails.get(credential.uuid));
    },

    async listCredentials(request, { caller, signal }) {
      const { username, learningContextKey, configurationId, status } = request;
      checkText("username", username, { min: 0, max: MAX_NAME });
      if (learningContextKey !== "") parseLearningContextKey(learningContextKey);
      if (configurationId !== 0) checkId("configuration_id", configurationId);
      const wanted = parseOptionalEnum("status", presentedStatus, status, CredentialStatusSchema);
      const statuses = wanted && [wanted];
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
  };
}
