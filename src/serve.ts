import { parsePlainRecord } from "./api/parse-plain-record.js";
import { type App, CLOSE_DEADLINE_MS } from "./app.js";
import { Cancellation } from "./concurrency/cancellation.js";
import { createBadges } from "./credentials/badges/badges.js";
import { createCredentialProofs } from "./credentials/checkpoints/prove-credential.js";
import { createFindLogFile } from "./credentials/checkpoints/serve-log.js";
import { createAddCheckpoint } from "./credentials/checkpoints/witness-logs.js";
import { createFollowDownloadLink } from "./credentials/download/follow-download-link.js";
import { createOpenDocument } from "./credentials/download/open-document.js";
import { createCredentialPictures } from "./credentials/pictures/credential-pictures.js";
import { createVerificationLookUp } from "./credentials/verification/look-up-verification.js";
import { openWallets } from "./credentials/wallets/open-wallets.js";
import { createConnectHandler } from "./edges/connect/handler.js";
import { consoleAtFirstRequest } from "./edges/console/at-first-request.js";
import { createGrpcServer } from "./edges/grpc/server.js";
import { bufferedBytesAllowed } from "./edges/http/buffered-bytes.js";
import { createClientOf } from "./edges/http/client-address.js";
import { connectionLimits, connectionShares } from "./edges/http/connection-limits.js";
import { createCors } from "./edges/http/cors.js";
import { healthRoutes } from "./edges/http/health.js";
import { createRequestBodies } from "./edges/http/request-bodies.js";
import { createRoutes } from "./edges/http/routes.js";
import { createHttpServer } from "./edges/http/server.js";
import { filesRoute } from "./edges/http/signed-files.js";
import { issuerRoutes } from "./edges/issuer/issuer.js";
import { ltiRoutes } from "./edges/lti/lti-routes.js";
import { openApiRoutes } from "./edges/openapi/routes.js";
import { learnerCallbacks } from "./edges/openedx/learner-callbacks.js";
import { brandRoute } from "./edges/pages/brand-route.js";
import { downloadRoutes } from "./edges/pages/download.js";
import { learnerRecordRoute } from "./edges/pages/learner-record.js";
import { myCredentialsRoute } from "./edges/pages/my-credentials.js";
import { oembedRoute, pictureRoute } from "./edges/pages/picture.js";
import { rootRoute } from "./edges/pages/root.js";
import { securityTxtRoute } from "./edges/pages/security-txt.js";
import { verifyRoutes } from "./edges/pages/verify.js";
import { createRestFront } from "./edges/rest/front.js";
import { keepByteOrderMarks } from "./edges/text-encoding.js";
import { readTlsIdentity } from "./edges/tls.js";
import { logRoutes } from "./edges/transparency/log-routes.js";
import { witnessRoute } from "./edges/transparency/witness-route.js";
import { walletRoutes } from "./edges/wallets/openid4vci.js";
import { walletLinkRoutes } from "./edges/wallets/wallet-links.js";
import type { Authenticate } from "./identity/caller.js";
import { callerOf, staffClaimsOf } from "./identity/claims.js";
import { createSignInProvider, type SignInProvider } from "./identity/sign-in-provider.js";
import { openLti } from "./lti/open-lti.js";
import { createRateLimit } from "./pipeline/rate-limit.js";
import { buildServices } from "./services.js";
import { reachableHost } from "./settings/reachable-host.js";

/** Proxies drop connections that they do not use within seconds; after this long, a replaced process drops them. */
const RETIRE_PATIENCE_MS = 10_000;

/** Where the service listens. */
export interface Serving {
  readonly httpPort: number;
  readonly grpcPort: number;
  /** Leaves new connections to another process, and resolves when the present ones have ended, or were asked to. */
  retire(): Promise<void>;
}

/** A program that shows a link verifies nothing. */
const UNCOUNTED = { count() {} };

/**
 * Starts the servers; they stop with the app.
 * @param processes how many serve on this machine, and share its memory
 */
export async function serve(app: App, processes = 1): Promise<Serving> {
  const { config, log } = app;
  const publicUrl = app.publicUrl.get;
  const publicLimit = createRateLimit(config.publicRateLimit);
  const badges = createBadges({ ...app, publicUrl, settings: config });
  const proofs = config.logKeyFile === undefined ? undefined : createCredentialProofs({ ...app, ...config });
  const witness = await app.openWitnessSigning();
  const wallets = openWallets(app, badges.makeBadge);
  const lti = openLti(app, parsePlainRecord);
  app.publicReads.follow();
  const lookUp = createVerificationLookUp(app.publicReads.readOn, app.figures);
  const pictures = createCredentialPictures({ ...app, publicUrl: app.publicUrl.get });
  app.defer(pictures.close);
  keepByteOrderMarks();
  const { pipeline, sessions, authenticate } = await buildServices(app, {
    publicLimit,
    badges,
    wallets,
    lookUp,
    lti,
  });
  const clientOf = createClientOf(config.trustedProxies);
  const cors = createCors(config.corsAllowedOrigins);
  const bodies = createRequestBodies(bufferedBytesAllowed("http") / processes);
  const door = { pipeline, cors, clientOf, log, bodies };
  const pages = { site: { ...config, publicUrl, brands: app.brands }, pipeline };
  const isPublicHttps = config.publicUrl?.startsWith("https:") ?? false;
  const tls = config.tls && (await readTlsIdentity(config.tls));
  const { http: maxHttpConnections, grpc: maxGrpcConnections } = connectionLimits();
  const shares = connectionShares(config.trustedProxies);
  const http = await createHttpServer({
    handlers: [
      createRoutes(door, [
        ...healthRoutes(app.readiness, { tellsWhy: false }),
        ...(config.apiDocs ? openApiRoutes(pipeline.services, publicUrl) : []),
      ]),
      createRestFront({ ...door, publicCacheSeconds: config.publicCacheSeconds }),
      createConnectHandler(door),
      createRoutes(door, [
        consoleAtFirstRequest({
          ...door,
          site: pages.site,
          sessions,
          publicUrl,
          provider: openProvider(app, authenticate),
          secrets: app.secrets.urlSigningSecrets,
          staffClaims: staffClaimsOf(config.auth),
          openDocument: createOpenDocument(app),
          settings: () => ({
            platformName: config.platformName,
            publicUrl: publicUrl(),
            hasProvider: config.signInProvider !== undefined,
            contact: app.brands.of("").contact,
          }),
        }),
        ...(config.auth.platformWorkers.length > 0 ? learnerCallbacks(pipeline) : []),
        ...(app.localFiles ? [filesRoute(app.localFiles, pipeline)] : []),
        ...downloadRoutes(
          pages,
          createFollowDownloadLink({ ...app, secrets: app.secrets.urlSigningSecrets }),
        ),
        ...verifyRoutes(pages, lookUp, proofs),
        brandRoute(pages, app.brands),
        pictureRoute(pages, pictures),
        oembedRoute(pages, createVerificationLookUp(app.publicReads.readOn, UNCOUNTED), pictures),
        ...(lti ? ltiRoutes({ ...pages, lti, audit: app.audit, log }) : []),
        learnerRecordRoute(pages),
        myCredentialsRoute({
          ...pages,
          hasWallets: wallets !== undefined,
          hasRecords: badges.documents !== undefined,
          hasProofs: proofs !== undefined,
        }),
        rootRoute(pages.site),
        ...(isPublicHttps && config.securityContacts.length > 0
          ? [securityTxtRoute(config.securityContacts, publicUrl)]
          : []),
        ...(proofs
          ? logRoutes({ ...door, findLogFile: createFindLogFile({ ...app, ...config, publicUrl }) })
          : []),
        ...(witness ? [witnessRoute(pipeline, createAddCheckpoint(app.database, witness, publicUrl))] : []),
        ...(badges.documents ? issuerRoutes({ ...door, ...badges.documents }) : []),
        ...(wallets
          ? [
              ...walletLinkRoutes({ ...pages, cors, links: wallets.links }),
              ...walletRoutes({ ...config, ...door, offers: wallets.offers, publicUrl }),
            ]
          : []),
      ]),
    ],
    host: config.host,
    port: config.httpPort,
    tls,
    maxConnections: maxHttpConnections,
    shares,
    isHttps: tls !== undefined || isPublicHttps,
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
