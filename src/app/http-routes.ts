import type { Logger } from "pino";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { createCodeLookUp } from "#domain/credentials/aliases/look-up-alias.js";
import { createCredentialProofs } from "#domain/credentials/checkpoints/prove-credential.js";
import { createFindLogFile } from "#domain/credentials/checkpoints/serve-log.js";
import { createAddCheckpoint } from "#domain/credentials/checkpoints/witness-logs.js";
import { createFollowDownloadLink } from "#domain/credentials/download/follow-download-link.js";
import { createOpenDocument } from "#domain/credentials/download/open-document.js";
import { createCredentialPictures } from "#domain/credentials/pictures/credential-pictures.js";
import { createOpenPreviewLink } from "#domain/credentials/previews/open-preview-link.js";
import { createVerificationLookUp } from "#domain/credentials/verification/look-up-verification.js";
import { consoleAtFirstRequest } from "#edges/console/at-first-request.js";
import type { SignIn } from "#edges/console/session.js";
import type { ClientOf } from "#edges/http/client-address.js";
import type { Cors } from "#edges/http/cors.js";
import type { RequestBodies } from "#edges/http/request-bodies.js";
import type { HttpRoute } from "#edges/http/routes.js";
import { filesRoute } from "#edges/http/signed-files.js";
import { issuerRoutes } from "#edges/issuer/issuer.js";
import { learnerCallbacks } from "#edges/openedx/learner-callbacks.js";
import { badgePictureRoute } from "#edges/pages/badge-picture-route.js";
import { brandRoute } from "#edges/pages/brand-route.js";
import { downloadRoutes } from "#edges/pages/download.js";
import { embedRoute } from "#edges/pages/embed.js";
import { learnerRecordRoute } from "#edges/pages/learner-record.js";
import { claimRoute, myCredentialsRoute } from "#edges/pages/my-credentials.js";
import { oldLinkRoutes } from "#edges/pages/old-links.js";
import type { PageContext } from "#edges/pages/page-context.js";
import { oembedRoute, pictureRoute } from "#edges/pages/picture.js";
import { previewRoutes } from "#edges/pages/preview.js";
import { rootRoute } from "#edges/pages/root.js";
import { securityTxtRoute } from "#edges/pages/security-txt.js";
import { verifyRoutes } from "#edges/pages/verify.js";
import { logRoutes } from "#edges/transparency/log-routes.js";
import { witnessRoute } from "#edges/transparency/witness-route.js";
import { walletRoutes } from "#edges/wallets/openid4vci.js";
import { walletLinkRoutes } from "#edges/wallets/wallet-links.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { Authenticate } from "#infrastructure/identity/caller.js";
import { callerOf, staffClaimsOf } from "#infrastructure/identity/claims.js";
import { createSignInProvider } from "#infrastructure/identity/sign-in-provider.js";
import type { SignInSetting } from "#runtime/settings/sign-in-setting.js";
import type { App } from "./app.js";
import type { Services, Shared } from "./services.js";

/** Look-ups for previews are not counted, because they are not verifications. */
const NO_COUNTER = { count() {} };

export interface HttpContext {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly clientOf: ClientOf;
  readonly bodies: RequestBodies;
  readonly log: Logger;
}

/** Returns all routes except those of the API. The first matching route serves a request. */
export async function httpRoutes(
  app: App,
  { badges, wallets, lookUp, lti }: Shared,
  services: Services,
  httpContext: HttpContext,
): Promise<HttpRoute[]> {
  const { config, database, files, figures, functions, renderer, loadAssets } = app;
  const { outputDir } = config;
  const { pipeline, cors, log } = httpContext;
  const publicUrl = app.publicUrl;
  const proofs =
    config.logKeyFile === undefined ? undefined : createCredentialProofs({ database, files, outputDir });
  const witness = await app.openWitnessSigning();
  const pictures = createCredentialPictures({ database, functions, renderer, loadAssets, log, publicUrl });
  app.defer(pictures.close);
  const lookUpCode = createCodeLookUp(app.publicReads.readOn);
  const lookUpUncounted = createVerificationLookUp(app.publicReads.readOn, NO_COUNTER);
  const pages = { site: pageContextOf(app), pipeline };
  return [
    consoleRoute(app, services, httpContext, pages.site),
    ...(config.auth.platformWorkers.length > 0 ? learnerCallbacks(pipeline) : []),
    ...(app.localFiles ? [filesRoute(app.localFiles, pipeline)] : []),
    ...downloadRoutes(
      pages,
      createFollowDownloadLink({ database, files, figures, secrets: app.secrets.urlSigningSecrets }),
    ),
    ...verifyRoutes(pages, { lookUp, lookUpUncounted, lookUpCode }, proofs),
    brandRoute(pages, app.brands),
    badgePictureRoute(pages),
    embedRoute(pages, cors),
    pictureRoute(pages, pictures),
    ...previewRoutes(pages, createOpenPreviewLink(database)),
    oembedRoute(pages, lookUpUncounted, pictures),
    ...(lti
      ? (await import("#edges/lti/lti-routes.js")).ltiRoutes({ ...pages, lti, audit: app.audit, log })
      : []),
    learnerRecordRoute(pages),
    claimRoute(pages),
    myCredentialsRoute({
      ...pages,
      hasWallets: wallets !== undefined,
      hasRecords: badges.documents !== undefined,
      hasProofs: proofs !== undefined,
    }),
    rootRoute(pages.site),
    ...(config.isPublicHttps && config.securityContacts.length > 0
      ? [securityTxtRoute(config.securityContacts, publicUrl)]
      : []),
    ...(proofs
      ? logRoutes({
          ...httpContext,
          findLogFile: createFindLogFile({ database, files, outputDir, publicUrl }),
        })
      : []),
    ...(witness ? [witnessRoute(pipeline, createAddCheckpoint(app.database, witness, publicUrl))] : []),
    ...(badges.documents ? issuerRoutes({ ...httpContext, ...badges.documents }) : []),
    ...(wallets
      ? [
          ...walletLinkRoutes({ ...pages, cors, links: wallets.links }),
          ...walletRoutes({
            pipeline,
            cors,
            settings: config,
            offers: wallets.offers,
            publicUrl,
          }),
        ]
      : []),
    ...oldLinkRoutes(pages, lookUpCode), // last, because all other addresses of this service take precedence
  ];
}

function consoleRoute(
  app: App,
  { sessions, authenticate }: Services,
  httpContext: HttpContext,
  site: PageContext,
): HttpRoute {
  const { config, publicUrl } = app;
  return consoleAtFirstRequest({
    ...httpContext,
    site,
    sessions,
    publicUrl,
    signIn: openSignIn(app, authenticate),
    secrets: app.secrets.urlSigningSecrets,
    openDocument: createOpenDocument(app),
    settings: async () => ({
      platformName: config.platformName,
      publicUrl,
      // This page is also served while the database is unavailable.
      hasProvider: (await app.signIn().catch(() => undefined)) !== undefined,
      contact: app.brands.of("").contact,
    }),
  });
}

/** Returns a function that finds the identity provider for staff; undefined while none is set up. */
function openSignIn({ signIn }: App, authenticate: Authenticate): () => Promise<SignIn | undefined> {
  let opened: { readonly setting: SignInSetting; readonly signIn: SignIn } | undefined;
  return async () => {
    const setting = await signIn();
    if (!setting) return undefined;
    if (opened?.setting === setting) return opened.signIn;
    const { provider, claims, fetchAnswer } = setting;
    const rules = {
      callerOfClaims: (found: Parameters<typeof callerOf>[0]) => callerOf(found, claims),
      callerOfToken: (token: string) => authenticate({ authorization: `JWT ${token}` }, new Cancellation()),
    };
    const created = createSignInProvider(provider, rules, fetchAnswer);
    opened = { setting, signIn: { provider: created, staffClaims: staffClaimsOf(claims) } };
    return opened.signIn;
  };
}

function pageContextOf({ config, publicUrl, brands }: App): PageContext {
  const { timeZone, language } = config;
  return {
    // Getters, because administrators can change these values while the service runs.
    get platformName() {
      return config.platformName;
    },
    get issuerProfile() {
      return config.issuerProfile;
    },
    get issuers() {
      return config.issuers;
    },
    ...{ timeZone, language, publicUrl, brands },
  };
}
