import { CallerService } from "../gen/learning_credentials/v1/caller_service_pb.js";
import { ConfigurationService } from "../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../gen/learning_credentials/v1/learner_record_service_pb.js";
import { WebhookService } from "../gen/learning_credentials/v1/webhook_service_pb.js";
import { callerService } from "./api/caller-service.js";
import { configurationService } from "./api/configuration-service.js";
import { credentialService } from "./api/credential-service.js";
import { eligibilityService } from "./api/eligibility-service.js";
import { learnerRecordService } from "./api/learner-record-service.js";
import { webhookService } from "./api/webhook-service.js";
import { type App, CLOSE_DEADLINE_MS } from "./app.js";
import { createInspectDocument } from "./assets/inspection/inspect-asset.js";
import { Cancellation } from "./concurrency/cancellation.js";
import { createAssetDeps } from "./configurations/manage-assets.js";
import { createReadDidDocument } from "./credentials/badges/did-documents.js";
import { createDidOf } from "./credentials/badges/issuer.js";
import { createPublishedKeys } from "./credentials/badges/issuer-key-store.js";
import { createMakeBadge, type MakeBadge } from "./credentials/badges/make-badge.js";
import { createStatusLists } from "./credentials/badges/status-lists.js";
import { createBoundsCheck } from "./credentials/check-bounds.js";
import { createFollowDownloadLink } from "./credentials/download/follow-download-link.js";
import { createOpenDocument } from "./credentials/download/open-document.js";
import { createEventFeed } from "./credentials/events/event-feed.js";
import { createFileReader } from "./credentials/verification/file-reader.js";
import {
  createFileLookUp,
  createMetadataLookUp,
  createVerificationLookUp,
  type LookUpVerification,
} from "./credentials/verification/look-up-verification.js";
import { createVerifyCredential } from "./credentials/verification/verify-credential.js";
import { createWalletLinks, type WalletLinks } from "./credentials/wallets/wallet-links.js";
import { createWalletOffers, type WalletOffers } from "./credentials/wallets/wallet-offers.js";
import { createConnectHandler } from "./edges/connect/handler.js";
import { createConsoleAtFirstRequest } from "./edges/console/at-first-request.js";
import { createGrpcServer } from "./edges/grpc/server.js";
import { bufferedBytesAllowed } from "./edges/http/buffered-bytes.js";
import { createClientOf } from "./edges/http/client-address.js";
import { connectionLimits, connectionShares } from "./edges/http/connection-limits.js";
import { createCors } from "./edges/http/cors.js";
import { createHealthHandler } from "./edges/http/health.js";
import { createRequestBodies } from "./edges/http/request-bodies.js";
import { createHttpServer } from "./edges/http/server.js";
import { createFilesHandler } from "./edges/http/signed-files.js";
import { createIssuerHandler } from "./edges/issuer/issuer.js";
import { createOpenApiHandler } from "./edges/openapi/handler.js";
import { createLearnerCallbacks } from "./edges/openedx/learner-callbacks.js";
import { createDownloadHandler } from "./edges/pages/download.js";
import { createMyCredentialsHandler } from "./edges/pages/my-credentials.js";
import { createRootHandler } from "./edges/pages/root.js";
import { createVerifyHandler } from "./edges/pages/verify.js";
import { createRestFront } from "./edges/rest/front.js";
import { keepByteOrderMarks } from "./edges/text-encoding.js";
import { readTlsIdentity } from "./edges/tls.js";
import { createWalletHandler } from "./edges/wallets/openid4vci.js";
import { createWalletLinkHandler } from "./edges/wallets/wallet-links.js";
import { createAuthenticate } from "./identity/authenticate.js";
import type { Authenticate } from "./identity/caller.js";
import { callerOf, staffClaimsOf } from "./identity/claims.js";
import { createSignInProvider, type SignInProvider } from "./identity/sign-in-provider.js";
import { createAccountCheck } from "./learners/account-check.js";
import { createPipeline, mount, type Pipeline } from "./pipeline/pipeline.js";
import { createRateLimit, type RateLimit } from "./pipeline/rate-limit.js";
import { createSessions } from "./sessions/sessions.js";
import { reachableHost } from "./settings/reachable-host.js";
import { sendingDepsOf } from "./webhooks/sending-deps.js";

/** Proxies drop connections that they do not use within seconds; after this long, a replaced process drops them. */
const RETIRE_PATIENCE_MS = 10_000;

/** Where the service listens. */
export interface Serving {
  readonly httpPort: number;
  readonly grpcPort: number;
  /** Leaves new connections to another process, and resolves when the present ones have ended, or were asked to. */
  retire(): Promise<void>;
}

/**
 * Starts the servers; they stop with the app.
 * @param processes how many serve on this machine, and share its memory
 */
export async function serve(app: App, processes = 1): Promise<Serving> {
  const { config, log } = app;
  const publicLimit = createRateLimit(config.publicRateLimit);
  const badges = { ...app, publicUrl: app.publicUrl.get };
  const makeBadge = createMakeBadge(badges);
  const walletOffers = openWalletOffers(app, makeBadge);
  const walletLinks = walletOffers && openWalletLinks(app, makeBadge, walletOffers);
  app.publicReads.follow();
  const lookUp = createVerificationLookUp(app.publicReads.readOn);
  const sessions = createSessions(app);
  const authenticate = createAuthenticate({
    ...config.auth,
    secrets: app.secrets.authJwtSecrets,
    sessionCaller: sessions.callerOf,
    certifiedServices: config.tls?.clientCaFile !== undefined,
    checkAccount: createAccountCheck({ ...app, pinSubject: config.auth.pinSubject }),
  });
  keepByteOrderMarks();
  const pipeline = await buildPipeline(app, {
    publicLimit,
    makeBadge,
    walletOffers,
    walletLinks,
    lookUp,
    authenticate,
  });
  const clientOf = createClientOf(config.trustedProxies);
  const cors = createCors(config.corsAllowedOrigins);
  const rest = createRestFront({ pipeline, cors, clientOf, publicCacheSeconds: config.publicCacheSeconds });
  const openApi = config.apiDocs && createOpenApiHandler(pipeline.services, app.publicUrl.get);
  const bodies = createRequestBodies(bufferedBytesAllowed("http") / processes);
  const connect = createConnectHandler({ pipeline, cors, clientOf, log, bodies });
  const files = app.localFiles && createFilesHandler({ store: app.localFiles, pipeline, clientOf });
  const follow = createFollowDownloadLink({ ...app, secrets: app.secrets.urlSigningSecrets });
  const pages = { site: { ...config, publicUrl: app.publicUrl.get }, pipeline, clientOf };
  const serveConsole = createConsoleAtFirstRequest({
    pipeline,
    clientOf,
    log,
    bodies,
    sessions,
    publicUrl: app.publicUrl.get,
    provider: openProvider(app, authenticate),
    site: pages.site,
    secrets: app.secrets.urlSigningSecrets,
    staffClaims: staffClaimsOf(config.auth),
    openDocument: createOpenDocument(app),
    settings: () => ({
      platformName: config.platformName,
      publicUrl: app.publicUrl.get(),
      hasProvider: config.signInProvider !== undefined,
    }),
  });
  const download = createDownloadHandler(pages, follow);
  const verify = createVerifyHandler(pages, lookUp);
  const readDidDocument = createReadDidDocument(badges);
  const statusLists = createStatusLists(badges);
  const issuer =
    readDidDocument &&
    statusLists &&
    createIssuerHandler({ pipeline, cors, clientOf, readDidDocument, statusLists });
  const tls = config.tls && (await readTlsIdentity(config.tls));
  const { http: maxHttpConnections, grpc: maxGrpcConnections } = connectionLimits();
  const shares = connectionShares(config.trustedProxies);
  const http = await createHttpServer({
    handlers: [
      createHealthHandler(app.readiness, log, { tellsWhy: false }),
      ...(openApi ? [openApi] : []),
      rest.handle,
      connect.handle,
      serveConsole,
      ...(config.auth.platformWorkers.length > 0 ? [createLearnerCallbacks({ pipeline, clientOf })] : []),
      ...(files ? [files.handle] : []),
      download.handle,
      verify.handle,
      createMyCredentialsHandler({ ...pages, hasWallets: walletLinks !== undefined }).handle,
      createRootHandler(pages.site),
      ...(issuer ? [issuer] : []),
      ...(walletLinks ? [createWalletLinkHandler({ ...pages, cors, links: walletLinks })] : []),
      ...(walletOffers
        ? [
            createWalletHandler({
              ...config,
              pipeline,
              cors,
              clientOf,
              offers: walletOffers,
              publicUrl: app.publicUrl.get,
            }),
          ]
        : []),
    ],
    host: config.host,
    port: config.httpPort,
    tls,
    maxConnections: maxHttpConnections,
    shares,
    isHttps: tls !== undefined || (config.publicUrl?.startsWith("https:") ?? false),
    log,
  });
  app.defer(() => http.close(CLOSE_DEADLINE_MS));
  app.publicUrl.setDefault(`${tls ? "https" : "http"}://${reachableHost(config.host)}:${http.port}`);
  const grpc = await createGrpcServer({
    pipeline,
    host: config.host,
    port: config.grpcPort,
    tls,
    maxConnections: maxGrpcConnections,
    shares,
    maxBufferedBytes: bufferedBytesAllowed("grpc") / processes,
    reflects: config.apiDocs,
    publicLimit,
    onCall: app.metrics.call,
    clientOf,
    log,
  });
  app.readiness.onFall(() => grpc.setServing(false));
  app.defer(() => grpc.close(CLOSE_DEADLINE_MS));
  app.defer(async () => pipeline.endWatches());
  await app.announce(app.publicUrl.get());
  return {
    httpPort: http.port,
    grpcPort: grpc.port,
    async retire() {
      pipeline.endWatches();
      await Promise.all([http.retire(RETIRE_PATIENCE_MS), grpc.close(CLOSE_DEADLINE_MS)]);
    },
  };
}

/** Staff can sign in at the provider of the settings, if there is one. */
function openProvider({ config }: App, authenticate: Authenticate): SignInProvider | undefined {
  const { auth, signInProvider } = config;
  if (!signInProvider) return undefined;
  return createSignInProvider(signInProvider, {
    callerOfClaims: (claims) => callerOf(claims, auth),
    callerOfToken: (token) => authenticate({ authorization: `JWT ${token}` }, new Cancellation()),
  });
}

function openWalletLinks(app: App, makeBadge: MakeBadge, offers: WalletOffers): WalletLinks {
  return createWalletLinks({
    database: app.database,
    makeBadge,
    offers,
    secrets: app.secrets.urlSigningSecrets,
    publicUrl: app.publicUrl.get,
  });
}

/** Wallets trust a name by HTTPS alone. @returns undefined where there is none, or nothing is signed */
function openWalletOffers(app: App, makeBadge: MakeBadge): WalletOffers | undefined {
  if (!app.signingKeys || !app.config.publicUrl?.startsWith("https:")) return undefined;
  return createWalletOffers({
    database: app.database,
    makeBadge,
    secrets: app.secrets.urlSigningSecrets,
    publicUrl: app.publicUrl.get,
  });
}

/** What handlers share with edges. */
interface Shared {
  readonly publicLimit: RateLimit;
  readonly makeBadge: MakeBadge;
  readonly walletOffers: WalletOffers | undefined;
  readonly walletLinks: WalletLinks | undefined;
  readonly lookUp: LookUpVerification;
  readonly authenticate: Authenticate;
}

/** Builds the pipeline, the only way to the handlers, for every edge. */
async function buildPipeline(
  app: App,
  { publicLimit, makeBadge, walletOffers, walletLinks, lookUp, authenticate }: Shared,
): Promise<Pipeline> {
  const { config, log, database, functions, files } = app;
  const lookUpMetadata = createMetadataLookUp(app.publicReads.readOn);
  const publishedKeys = createPublishedKeys(database);
  const didOf = createDidOf({ ...app, publicUrl: app.publicUrl.get });
  const fileReader = createFileReader();
  app.defer(fileReader.close);
  const verifyCredential = createVerifyCredential({
    publishedKeys,
    readFile: fileReader.read,
    lookUp,
    lookUpFile: createFileLookUp(database),
    didOf,
  });
  const eventFeed = createEventFeed(database.directUrl, log);
  app.defer(eventFeed.close);
  const preview = { ...app, settings: config, publicUrl: app.publicUrl.get };
  const pipeline = createPipeline({
    mounts: [
      mount(
        CredentialService,
        credentialService({
          database,
          functions,
          files,
          lookUpMetadata,
          verifyCredential,
          walletOffers,
          walletLinks,
          publishedKeys,
          didOf,
          eventFeed,
          makeBadge,
          inspectDocument: createInspectDocument(),
          settings: config,
          outputDir: config.outputDir,
        }),
      ),
      mount(
        ConfigurationService,
        configurationService({
          database,
          functions,
          assets: createAssetDeps(app),
          preview,
          settings: config,
        }),
      ),
      mount(EligibilityService, eligibilityService({ database, functions, files })),
      mount(LearnerRecordService, learnerRecordService({ database, functions })),
      mount(CallerService, callerService()),
      mount(WebhookService, webhookService(sendingDepsOf(app))),
    ],
    publicLimit,
    maxConcurrentCalls: config.maxConcurrentCalls,
    authenticate,
    checkBounds: createBoundsCheck(database),
    audit: app.audit,
    onCall: app.metrics.call,
    log,
  });
  if (!app.tracing) return pipeline;
  const { tracedPipeline } = await import("./pipeline/traced-pipeline.js");
  return tracedPipeline(pipeline, app.tracing.tracer);
}
