import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { createAssetLoader } from "#domain/assets/load-assets.js";
import { createBrands } from "#domain/brands/brands.js";
import { createFunctions } from "#domain/configurations/functions.js";
import type { ConnectorMetrics } from "#domain/connectors/connector-metrics.js";
import { type ConnectorRegistry, openConnectorRegistry } from "#domain/connectors/connector-registry.js";
import { publishAllKeys, readRevokedKeys } from "#domain/credentials/badges/issuer-key-store.js";
import {
  createStoredIssuers,
  hasStoredKeys,
  type StoredIssuers,
} from "#domain/credentials/badges/stored-issuers.js";
import { measureLog } from "#domain/credentials/checkpoints/log-store.js";
import { createEmailTexts } from "#domain/credentials/emails/email-texts.js";
import { createFigureCounter } from "#domain/credentials/figures/figure-counter.js";
import { openLogSigning, openWitnessSigning } from "#domain/keys/log-signing.js";
import { openSeals, type SealReport, type Seals } from "#domain/keys/seals.js";
import { readSigningKeys } from "#domain/keys/signing-keys.js";
import type { Lti, LtiObstacle } from "#domain/lti/lti.js";
import { createRenderer } from "#formats/rendering/engine/renderer.js";
import { memoized } from "#foundation/concurrency/memoized.js";
import { rememberSuccess } from "#foundation/concurrency/remember-success.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import type { Problem } from "#foundation/errors.js";
import type { Tracing } from "#foundation/tracing/tracing.js";
import { createAuditTrail } from "#infrastructure/audit/audit-trail.js";
import { onPool } from "#infrastructure/db/batch-loader.js";
import type { Database } from "#infrastructure/db/database.js";
import { openConfiguredDatabase } from "#infrastructure/db/embedded/open-configured.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { checkPooler } from "#infrastructure/db/pooler.js";
import type { EmailSetting } from "#infrastructure/email/transport.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { createLocalFileStore, type LocalFileStore } from "#infrastructure/files/local/file-store.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createGuardedFetch } from "#infrastructure/outbound/guarded-fetch.js";
import { createResolveName } from "#infrastructure/outbound/resolve-name.js";
import { createStoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import { dependencies } from "#runtime/ops/dependencies.js";
import { instrumentedRenderer, instrumentedStore } from "#runtime/ops/instrumented.js";
import type { Metrics } from "#runtime/ops/metrics.js";
import { noopMetrics } from "#runtime/ops/noop-metrics.js";
import { createReadiness } from "#runtime/ops/readiness.js";
import { watchReads } from "#runtime/ops/watched-reads.js";
import { isChild } from "#runtime/processes/child.js";
import type { Config } from "#runtime/settings/config.js";
import { emailSetting, signInToServer } from "#runtime/settings/email-setting.js";
import { withGeneratedSecret } from "#runtime/settings/generated-secrets.js";
import { isTamperProof } from "#runtime/settings/missing-settings.js";
import { localUrl } from "#runtime/settings/reachable-host.js";
import {
  readSettingsSecrets,
  readTokenSecrets,
  readUrlSigningSecrets,
  readWebhookSecrets,
  type Secrets,
} from "#runtime/settings/secrets.js";
import { createServiceSettings } from "#runtime/settings/service-settings.js";
import { signInSetting } from "#runtime/settings/sign-in-setting.js";
import { loadPlugins, type Plugins } from "./plugins.js";

/** Time that calls and jobs in progress have to finish when the service stops. */
export const CLOSE_DEADLINE_MS = 10_000;

/** How long a successful check of the email server is reused, because every check signs in to the server. */
const EMAIL_CHECK_CACHE_MS = 60_000;

/** One core stays free for other work if there are at least two. */
export const RENDERING_THREADS = Math.max(1, availableParallelism() - 1);

/** The dependencies of commands. */
export type App = Awaited<ReturnType<typeof openApp>>;

/**
 * Registers a function that releases a resource when the app closes. Functions run in reverse order of registration.
 */
type Defer = (release: () => Promise<void>) => void;

/** How a process uses the embedded Postgres: see `openApp`. */
export type EmbeddedRole = "own" | "share" | "attach";

/**
 * Opens the database, migrates it, and creates the services that every command uses.
 * @param embedded "own": this process runs the embedded Postgres, and creates it and the secrets if they don't exist;
 * "share": this process serves requests and uses the embedded Postgres of its parent process; "attach": this process
 * uses the embedded Postgres of another process, or starts an existing one
 * @param listeningAt base URL at which this process listens, if it does
 * @throws Problem `failed-precondition` if there is no usable database
 */
export async function openApp(
  environment: Config,
  log: Logger,
  embedded: EmbeddedRole,
  listeningAt?: string,
) {
  const releases: (() => Promise<void>)[] = [];
  const defer: Defer = (release) => void releases.push(release);
  const close = async () => {
    for (let release = releases.pop(); release; release = releases.pop()) await release();
  };
  try {
    let storedIssuers: StoredIssuers | undefined;
    const issuers = () => storedIssuers?.current ?? environment;
    const config: Config = {
      ...environment,
      // Getters, because administrators can change these values while the service runs.
      get platformName() {
        return issuers().platformName;
      },
      get issuerProfile() {
        return issuers().issuerProfile;
      },
      get issuers() {
        return issuers().issuers;
      },
    };
    const base = await openBase(config, log, embedded, defer, listeningAt);
    const keys = await openKeys(base, embedded);
    storedIssuers = createStoredIssuers({ ...base, ...keys, fixed: environment });
    await storedIssuers.refresh();
    const stores = await openStores(base);
    const documents = openDocuments(base, stores.files, defer);
    return {
      ...base,
      ...openServiceSettings(base),
      ...keys,
      storedIssuers,
      ...stores,
      ...documents,
      connectors: await openConnectorsOf(base, base.metrics.connectors),
      /** Why LTI is off; undefined if it is on. */
      ltiObstacle: ltiObstacleOf(base),
      /** Resolves with undefined if LTI is off. */
      openLti: memoized(() => openLtiOf(base)),
      defer,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Base = Awaited<ReturnType<typeof openBase>>;

/** Opens the database and everything that depends only on the database and the settings. */
async function openBase(
  config: Config,
  log: Logger,
  embedded: EmbeddedRole,
  defer: Defer,
  listeningAt: string | undefined,
) {
  let onLost: (problem: Problem) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    onLost = reject;
  });
  lost.catch(() => {}); // prevents an unhandled rejection in short commands, which don't wait for `lost`
  const opened = await openConfiguredDatabase(config, embedded === "own" ? "own" : "attach", defer, onLost);
  const { database, upkeep, announce } = opened;
  for (const missing of await checkPooler(database))
    log.warn(missing, "connection pooler doesn't pass on a setting: set it for the database role");
  const applied = await migrateUp(database, upkeep);
  if (applied.length > 0) log.info({ applied }, "database migrated");
  const audit = createAuditTrail(database, log);
  defer(audit.close);
  const fixed = await readSecrets(config, embedded !== "attach");
  const storedSettings = createStoredSettings(fixed.settingsSecrets);
  const secretsOf = (purpose: "LTI" | "webhooks", secrets: readonly string[]) =>
    withGeneratedSecret(database.knex, storedSettings, purpose, secrets, log);
  const { secrets: webhookSecrets } = await secretsOf("webhooks", fixed.webhookSecrets);
  const secrets = { ...fixed, webhookSecrets };
  return {
    config,
    log,
    database,
    audit,
    tracing: config.traceEndpoint ? await openTracing(config.traceEndpoint, log, defer) : undefined,
    secrets,
    storedSettings,
    ltiSecrets: await secretsOf("LTI", config.ltiSecrets),
    plugins: await loadPlugins(config.plugins),
    metrics: await openMetrics(config, database),
    /**
     * Base URL of the service, without a trailing slash. Without `PUBLIC_URL`, it is the address at which this process
     * listens or, if it doesn't listen, the address of the service that runs on the same database.
     */
    publicUrl: config.publicUrl ?? listeningAt ?? opened.publicUrl ?? localUrl(config),
    /** Publishes the public URL for commands that use the embedded database of this process. */
    announce,
    /** Never resolves. Rejects if the embedded database is lost, because then nothing else works. */
    lost,
  };
}

async function readSecrets(config: Config, isService: boolean): Promise<Secrets> {
  return {
    authJwtSecrets: isService ? await readTokenSecrets(config, "make") : [],
    urlSigningSecrets: await readUrlSigningSecrets(config, isService ? "make" : "refuse"),
    webhookSecrets: await readWebhookSecrets(config, isService ? "make" : "refuse"),
    settingsSecrets: await readSettingsSecrets(config, isService ? "make" : "refuse"),
  };
}

/** Opens the settings that administrators save in the console. The environment overrides them. */
function openServiceSettings({ config, database, log, storedSettings, publicUrl }: Base) {
  const rule = createAddressRule(config.settingsAllowedNetworks, "SETTINGS_ALLOWED_NETWORKS");
  const guard = { rule, resolveName: createResolveName() };
  const signIn = signInSetting(config, publicUrl, createGuardedFetch(guard));
  const email = emailSetting(config, publicUrl, guard);
  const serviceSettings = createServiceSettings(database.knex, storedSettings, [signIn, email], log);
  const currentEmail = serviceSettings.required(email);
  return {
    serviceSettings,
    signIn: serviceSettings.current(signIn),
    email: currentEmail,
    checkEmail: createEmailCheck(currentEmail),
  };
}

/** Creates a check that rejects if the email server doesn't accept the sign-in. */
function createEmailCheck(current: () => Promise<EmailSetting>) {
  let latest: { readonly setting: EmailSetting; readonly check: () => Promise<void> } | undefined;
  /** @returns false if there is no email server, because emails are then written to files */
  return async (): Promise<boolean> => {
    const setting = await current();
    if (!setting.server) return false;
    if (latest?.setting !== setting)
      latest = { setting, check: rememberSuccess(() => signInToServer(setting), EMAIL_CHECK_CACHE_MS) };
    await latest.check();
    return true;
  };
}

/** Opens the signing keys. A service publishes its keys before it signs anything with them. */
async function openKeys(base: Base, embedded: EmbeddedRole) {
  const { config, log, database, plugins, metrics } = base;
  const isService = embedded !== "attach";
  const signingKeys = await readSigningKeys(
    config,
    isService ? "make" : "refuse",
    plugins.signers,
    await hasStoredKeys(base, isService),
  );
  if (isService && signingKeys) await publishAllKeys(database.knex, signingKeys);
  if (isService && config.signsBadges && !signingKeys)
    log.info("no signing keys: no Open Badges are issued until SIGNING_KEY_FILES or SETTINGS_SECRET is set");
  signingKeys?.setRevoked(await readRevokedKeys(database.knex));
  if (config.logKeyFile !== undefined) metrics.watchLog(() => measureLog(database.knex));
  const report: SealReport = { log, timestamp: metrics.seals.timestamp };
  return {
    /** undefined if Open Badges are off. */
    signingKeys,
    /** Opened on demand, because only generation needs the seals. Resolves with undefined if PDFs are not sealed. */
    openSeals: memoized(() => openSealsOf(config, plugins, metrics, log)),
    /** The key that signs the event log. Resolves with undefined if no log is published. */
    openLogSigning: memoized(() => openLogSigning(config, plugins.signers, report)),
    /** The key with which this service witnesses other logs. Resolves with undefined if it is not a witness. */
    openWitnessSigning: () => openWitnessSigning(config, plugins.signers),
  };
}

/** Opens the file store and the connections for public reads, and creates the readiness check that monitors them. */
async function openStores(base: Base) {
  const { config, log, database } = base;
  const { files, localFiles } = await openFiles(base);
  const publicReads = watchReads(onPool(database.reads));
  return {
    files,
    /** The file store if the service serves the files itself; undefined if they are in a bucket. */
    localFiles,
    publicReads,
    readiness: createReadiness(
      dependencies({ database, verification: publicReads.check, files, outputDir: config.outputDir }),
      log,
    ),
  };
}

function openDocuments({ config, database, plugins, metrics }: Base, files: FileStore, defer: Defer) {
  const { processors, generators, modules } = plugins;
  const renderer = instrumentedRenderer(createRenderer({ threads: RENDERING_THREADS, modules }), metrics);
  defer(renderer.close);
  const loadAssets = createAssetLoader(database.knex, files);
  return {
    functions: createFunctions(processors, generators),
    /** Starts its threads when the first document is rendered. */
    renderer,
    loadAssets,
    brands: createBrands(database.knex, loadAssets),
    emailTexts: createEmailTexts(database.knex),
    figures: createFigureCounter(database.knex, config.timeZone),
  };
}

async function openSealsOf(
  config: Config,
  { signers, generators }: Plugins,
  metrics: Metrics,
  log: Logger,
): Promise<Seals | undefined> {
  const report: SealReport = { log, timestamp: metrics.seals.timestamp };
  const seals = await openSeals(config, signers, report);
  if (!seals) return undefined;
  metrics.seals.watchEnds(seals.ends);
  for (const { name, carriesSeal } of generators)
    if (!carriesSeal) log.warn({ generator: name }, "documents of this generator are not sealed");
  return seals;
}

/** Loads the tracing module only if tracing is on, because loading it slows down startup. */
async function openTracing(endpoint: string, log: Logger, defer: Defer): Promise<Tracing> {
  const { startTracing } = await import("#foundation/tracing/tracing.js");
  const tracing = await startTracing(endpoint, log);
  defer(async () => void (await settlesWithin(tracing.close(), CLOSE_DEADLINE_MS)));
  return tracing;
}

/** Loads the connector modules only if there are learning platforms to read. */
export function openConnectorsOf(
  { config, database, log, plugins, storedSettings }: Base,
  metrics: ConnectorMetrics,
): Promise<ConnectorRegistry> {
  const { connectorsFile, connectorsAllowedNetworks } = config;
  const rule = createAddressRule(connectorsAllowedNetworks, "CONNECTORS_ALLOWED_NETWORKS");
  const guardedFetch = createGuardedFetch({ rule, resolveName: createResolveName() });
  const deps = { database, log, metrics, guardedFetch };
  async function loadDrivers() {
    const { builtInConnectors } = await import("#domain/connectors/built-in-connectors.js");
    return [...builtInConnectors, ...plugins.connectors];
  }
  return openConnectorRegistry({
    connectors: deps,
    stored: storedSettings,
    loadDrivers,
    async openFile() {
      if (connectorsFile === undefined) return [];
      const { openConnectors } = await import("#domain/connectors/open-connectors.js");
      return openConnectors(deps, connectorsFile, await loadDrivers());
    },
  });
}

function ltiObstacleOf({ config, ltiSecrets }: Base): LtiObstacle | undefined {
  if (ltiSecrets.secrets.length === 0)
    return ltiSecrets.isUnreadable ? "secret_unreadable" : "secret_missing";
  return config.publicUrl !== undefined && isTamperProof(config.publicUrl) ? undefined : "public_url";
}

/** Loads the LTI modules only if LTI is on. */
async function openLtiOf(base: Base): Promise<Lti | undefined> {
  const { config, database, publicUrl, ltiSecrets } = base;
  const [first, ...earlier] = ltiSecrets.secrets;
  if (first === undefined || ltiObstacleOf(base) !== undefined) return undefined;
  const { openLti } = await import("#domain/lti/open-lti.js");
  return openLti({
    database,
    secrets: [first, ...earlier],
    allowedNetworks: config.ltiAllowedNetworks,
    publicUrl,
  });
}

async function openMetrics({ adminPort }: Config, database: Database): Promise<Metrics> {
  if (adminPort === undefined) return noopMetrics;
  const { createMetrics } = await import("#runtime/ops/metrics.js");
  return createMetrics(database, { ofDatabase: !isChild() });
}

/** Opens the store in the configured bucket, or in the data directory if there is none. */
async function openFiles({
  config,
  log,
  secrets,
  publicUrl,
  metrics,
}: Base): Promise<{ files: FileStore; localFiles: LocalFileStore | undefined }> {
  if (config.s3) {
    const { openS3FileStore } = await import("#infrastructure/files/s3/file-store.js");
    const files = await openS3FileStore(config.s3, (err) =>
      log.error({ err }, "file store is unavailable; only functions that need it are affected"),
    );
    return { files: instrumentedStore(files, metrics), localFiles: undefined };
  }
  const localFiles = createLocalFileStore({
    directory: join(config.dataDir, "files"),
    publicUrl,
    secrets: secrets.urlSigningSecrets,
    customDomain: config.customDomain,
  });
  return { files: instrumentedStore(localFiles, metrics), localFiles };
}
