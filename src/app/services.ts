import { createPipeline, mount, type Pipeline } from "#api/pipeline/pipeline.js";
import type { RateLimit } from "#api/pipeline/rate-limit.js";
import { administrationService } from "#api/services/administration/administration-service.js";
import { callerService } from "#api/services/administration/caller-service.js";
import { ltiService } from "#api/services/administration/lti-service.js";
import { webhookService } from "#api/services/administration/webhook-service.js";
import { configurationService } from "#api/services/configurations/configuration-service.js";
import { previewLinkService } from "#api/services/configurations/preview-link-service.js";
import { credentialService } from "#api/services/credentials/credential-service.js";
import { eligibilityService } from "#api/services/credentials/eligibility-service.js";
import { learnerRecordService } from "#api/services/learners/learner-record-service.js";
import { createAssetDeps } from "#domain/configurations/manage-assets.js";
import type { Badges } from "#domain/credentials/badges/badges.js";
import { createBoundsCheck } from "#domain/credentials/check-bounds.js";
import { createEventFeed } from "#domain/credentials/events/event-feed.js";
import { createPrintRecord } from "#domain/credentials/generation/print-record.js";
import { createImportDeps } from "#domain/credentials/imports/import-deps.js";
import { createFileReader } from "#domain/credentials/verification/file-reader.js";
import {
  createFileLookUp,
  createMetadataLookUp,
  type LookUpVerification,
} from "#domain/credentials/verification/look-up-verification.js";
import { createVerifyCredential } from "#domain/credentials/verification/verify-credential.js";
import type { Wallets } from "#domain/credentials/wallets/open-wallets.js";
import { createAccountCheck } from "#domain/learners/account-check.js";
import type { Lti } from "#domain/lti/lti.js";
import { sendingDepsOf } from "#domain/webhooks/sending-deps.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { createAuthenticate } from "#infrastructure/identity/authenticate.js";
import { createSessions } from "#infrastructure/sessions/sessions.js";
import type { App } from "./app.js";
import { previewDepsOf } from "./dependencies.js";

/** Dependencies that the services share with the edges. */
export interface Shared {
  readonly publicLimit: RateLimit;
  readonly badges: Badges;
  readonly wallets: Wallets | undefined;
  readonly lookUp: LookUpVerification;
  /** undefined if LTI is off. */
  readonly lti: Lti | undefined;
}

/** All services, and the function that authenticates callers. */
export type Services = Awaited<ReturnType<typeof buildServices>>;

/** Creates the services. Every edge calls their handlers through the pipeline. */
export async function buildServices(app: App, shared: Shared) {
  const { config, log, database, functions, files } = app;
  const { publicLimit, lti } = shared;
  const sessions = createSessions(app);
  const authenticate = createAuthenticate({
    ...config.auth,
    secrets: app.secrets.authJwtSecrets,
    sessionCaller: sessions.callerOf,
    pageCaller: lti?.callerOfPage,
    certifiedServices: config.tls?.clientCaFile !== undefined,
    checkAccount: createAccountCheck({ database, pinSubject: config.auth.pinSubject }),
  });
  const pipeline: Pipeline = createPipeline({
    mounts: [
      mount(CredentialService, openCredentialService(app, shared)),
      mount(
        ConfigurationService,
        configurationService({
          database,
          functions,
          assets: createAssetDeps(app),
          brands: app.brands,
          preview: previewDepsOf(app),
          settings: config,
        }),
      ),
      mount(PreviewLinkService, previewLinkService(previewDepsOf(app))),
      mount(EligibilityService, eligibilityService({ database, functions, files, settings: config })),
      mount(LearnerRecordService, learnerRecordService({ database, log, functions })),
      mount(
        AdministrationService,
        administrationService({
          database,
          config,
          readiness: app.readiness,
          checkEmail: app.checkEmail,
          connectors: app.connectors,
          ltiObstacle: app.ltiObstacle,
          storedSettings: app.storedSettings,
          serviceSettings: app.serviceSettings,
          signIn: app.signIn,
          signingKeys: app.signingKeys,
          storedIssuers: app.storedIssuers,
          openSeals: app.openSeals,
          publicUrl: app.publicUrl,
          services: () => pipeline.services,
        }),
      ),
      mount(CallerService, callerService(database)),
      mount(WebhookService, webhookService(sendingDepsOf(app))),
      mount(LtiService, ltiService(lti)),
    ],
    publicLimit,
    maxConcurrentCalls: config.maxConcurrentCalls,
    authenticate,
    checkBounds: createBoundsCheck(database),
    audit: app.audit,
    onCall: app.metrics.call,
    log,
  });
  const services = { pipeline, sessions, authenticate };
  if (!app.tracing) return services;
  const { tracedPipeline } = await import("#api/pipeline/traced-pipeline.js");
  return { ...services, pipeline: tracedPipeline(pipeline, app.tracing.tracer) };
}

function openCredentialService(app: App, { badges, wallets, lookUp }: Shared) {
  const { config, log, database, functions } = app;
  const fileReader = createFileReader();
  app.defer(fileReader.close);
  const eventFeed = createEventFeed(database.directUrl, log);
  app.defer(eventFeed.close);
  return credentialService({
    ...badges,
    printRecord: createPrintRecord({
      renderer: app.renderer,
      openSeals: app.openSeals,
      publicUrl: app.publicUrl,
      settings: config,
    }),
    functions,
    figures: app.figures,
    brands: app.brands,
    emailTexts: app.emailTexts,
    lookUpMetadata: createMetadataLookUp(app.publicReads.readOn, app.figures),
    verifyCredential: createVerifyCredential({
      ...badges,
      readFile: fileReader.read,
      lookUp,
      lookUpFile: createFileLookUp(database, app.figures),
    }),
    wallets,
    eventFeed,
    ...createImportDeps(app),
  });
}
