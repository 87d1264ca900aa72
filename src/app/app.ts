import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { parsePlainRecord } from "#api/services/requests/parse-plain-record.js";
import { createAssetLoader } from "#domain/assets/load-assets.js";
import { createBrands } from "#domain/brands/brands.js";
import { createFunctions } from "#domain/configurations/functions.js";
import type { ConnectorMetrics } from "#domain/connectors/connector-metrics.js";
import { type ConnectorRegistry, openConnectorRegistry } from "#domain/connectors/connector-registry.js";
import { publishAllKeys, readRevokedKeys } from "#domain/credentials/badges/issuer-key-store.js";
import { measureLog } from "#domain/credentials/checkpoints/log-store.js";
import { createEmailTexts } from "#domain/credentials/emails/email-texts.js";
import { createFigureCounter } from "#domain/credentials/figures/figure-counter.js";
import { openLogSigning, openWitnessSigning } from "#domain/keys/log-signing.js";
import { openSeals, type SealReport, type Seals } from "#domain/keys/seals.js";
import { readSigningKeys } from "#domain/keys/signing-keys.js";
import type { Lti } from "#domain/lti/lti.js";
import { createRenderer } from "#formats/rendering/engine/renderer.js";
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

/** Time that running calls and jobs have to finish when the service stops. */
export const CLOSE_DEADLINE_MS = 10_000;

/** A check of the mail server signs in there, so a successful check is not repeated within this time. */
const EMAIL_REMEMBERED_MS = 60_000;

/** Rendering threads. One core is left for everything else, if there are at least two. */
export const RENDERING_THREADS = Math.max(1, availableParallelism() - 1);

/** The dependencies that every command uses. */
export type App = Awaited<ReturnType<typeof openApp>>;

/** Registers a function that releases a resource when the app closes. The last one registered runs first. */
type Defer = (release: () => Promise<void>) => void;

/** How a process uses the embedded Postgres: see `openApp`. */
export type EmbeddedRole = "own" | "share" | "attach";

/**
 * Opens the database, brings it up to date, and creates the services that every command uses.
 * @param embedded "own": this process runs the embedded Postgres, and creates it and the secrets if they don't exist;
 * "share": this process also serves, and uses the embedded Postgres that its parent process runs; "attach": it uses one
 * that another process runs, or starts an existing one
 * @param listeningAt the base URL at which this process listens, if it does
 * @throws Problem `failed-precondition` if there is no usable database
 */
export async function openApp(config: Config, log: Logger, embedded: EmbeddedRole, listeningAt?: string) {
  const releases: (() => Promise<void>)[] = [];
  const defer: Defer = (release) => void releases.push(release);
  const close = async () => {
    for (let release = releases.pop(); release; release = releases.pop()) await release();
  };
  try {
    const base = await openBase(config, log, embedded, defer, listeningAt);
    const keys = await openKeys(base, embedded);
    const stores = await openStores(base);
    const documents = openDocuments(base, stores.files, defer);
    const { smtpUrl } = config;
    return {
      ...base,
      ...openServiceSettings(base),
      ...keys,
      ...stores,
      ...documents,
      /** The connected learning platforms. */
      connectors: await openConnectorsOf(base, base.metrics.connectors),
      /** Opens the dependencies of LTI, once. undefined: LTI is off */
      openLti: once(() => openLtiOf(config, base.database, base.publicUrl)),
      /** Rejects if the mail server would not accept emails. undefined: emails are written to files */
      checkEmail:
        smtpUrl === undefined ? undefined : rememberSuccess(() => signInToSmtp(smtpUrl), EMAIL_REMEMBERED_MS),
      defer,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Base = Awaited<ReturnType<typeof openBase>>;

/** Opens the database, and everything that needs only the database and the settings. */
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
  lost.catch(() => {}); // a short command doesn't wait for this promise
  const opened = await openConfiguredDatabase(config, embedded === "own" ? "own" : "attach", defer, onLost);
  const { database, upkeep, announce } = opened;
  for (const missing of await checkPooler(database))
    log.warn(missing, "database role lacks a setting, which can't be set through the connection pooler");
  const applied = await migrateUp(database, upkeep);
  if (applied.length > 0) log.info({ applied }, "database migrated");
  const audit = createAuditTrail(database, log);
  defer(audit.close);
  const secrets = await readSecrets(config, embedded !== "attach");
  return {
    config,
    log,
    database,
    audit,
    /** undefined: tracing is off */
    tracing: config.traceEndpoint ? await openTracing(config.traceEndpoint, log, defer) : undefined,
    secrets,
    /** Settings that administrators save in the console. */
    storedSettings: createStoredSettings(secrets.settingsSecrets),
    plugins: await loadPlugins(config.plugins),
    metrics: await openMetrics(config, database),
    /**
     * Base URL of the service, without a trailing slash. Without `PUBLIC_URL`, it is the address at which this service
     * listens, or the running service on the same database.
     */
    publicUrl: config.publicUrl ?? listeningAt ?? opened.publicUrl ?? localUrl(config),
    /** Publishes this URL to commands that run beside this process on the embedded database. */
    announce,
    /** Never resolves. Rejects if the embedded database is lost, because nothing works without it. */
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

/** Opens the settings that administrators save in the console, unless the environment has them. */
function openServiceSettings({ config, database, log, storedSettings, publicUrl }: Base) {
  const rule = createAddressRule(config.settingsAllowedNetworks, "SETTINGS_ALLOWED_NETWORKS");
  const guardedFetch = createGuardedFetch({ rule, resolveName: createResolveName() });
  const signIn = signInSetting(config, publicUrl, guardedFetch);
  const serviceSettings = createServiceSettings(database.knex, storedSettings, [signIn], log);
  return { serviceSettings, signIn: serviceSettings.current(signIn) };
}

/** Opens the signing keys. A service publishes its keys before it signs anything with them. */
async function openKeys({ config, log, database, plugins, metrics }: Base, embedded: EmbeddedRole) {
  const isService = embedded !== "attach";
  const signingKeys = await readSigningKeys(config, isService ? "make" : "refuse", plugins.signers);
  if (isService && signingKeys) await publishAllKeys(database.knex, signingKeys);
  if (isService && !signingKeys)
    log.info("no signing keys: no Open Badges are issued until SIGNING_KEY_FILES is set");
  signingKeys?.setRevoked(await readRevokedKeys(database.knex));
  if (config.logKeyFile !== undefined) metrics.watchLog(() => measureLog(database.knex));
  const report: SealReport = { log, timestamp: metrics.seals.timestamp };
  return {
    /** undefined: Open Badges are off */
    signingKeys,
    /** Opens the seals of PDFs, once, because only generation needs them. undefined: PDFs are not sealed */
    openSeals: once(() => openSealsOf(config, plugins, metrics, log)),
    /** Opens the signing key of the event log, once. undefined: there is no log */
    openLogSigning: once(() => openLogSigning(config, plugins.signers, report)),
    /** Opens the key with which this service signs as a witness of other logs. undefined: it is not a witness */
    openWitnessSigning: () => openWitnessSigning(config, plugins.signers),
  };
}

/** Opens the file store and the reads for the public, and watches both. */
async function openStores(base: Base) {
  const { config, log, database } = base;
  const { files, localFiles } = await openFiles(base);
  const publicReads = watchReads(onPool(database.reads));
  return {
    files,
    /** The same store, if it is on this machine and the service itself serves its files. */
    localFiles,
    publicReads,
    readiness: createReadiness(
      dependencies({ database, verification: publicReads.check, files, outputDir: config.outputDir }),
      log,
    ),
  };
}

/** Creates the dependencies that render documents, pages and emails. */
function openDocuments({ config, database, plugins, metrics }: Base, files: FileStore, defer: Defer) {
  const { processors, generators, modules } = plugins;
  const renderer = instrumentedRenderer(createRenderer({ threads: RENDERING_THREADS, modules }), metrics);
  defer(renderer.close);
  const loadAssets = createAssetLoader(database.knex, files);
  return {
    functions: createFunctions(processors, generators),
    /** Its threads start when the first document is rendered. */
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

/** The module is loaded only when a check is requested. */
async function signInToSmtp(smtpUrl: string): Promise<void> {
  const { checkSmtp } = await import("#infrastructure/email/check-smtp.js");
  await checkSmtp(smtpUrl);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The module is loaded only if tracing is on, so that startup is not slower without it. */
async function openTracing(endpoint: string, log: Logger, defer: Defer): Promise<Tracing> {
  const { startTracing } = await import("#foundation/tracing/tracing.js");
  const tracing = await startTracing(endpoint, log);
  defer(async () => void (await settlesWithin(tracing.close(), CLOSE_DEADLINE_MS)));
  return tracing;
}

/** Opens the connected learning platforms. Their modules are loaded only if there are any. */
export function openConnectorsOf(
  { config, database, log, plugins, storedSettings }: Base,
  metrics: ConnectorMetrics,
): Promise<ConnectorRegistry> {
  const { connectorsFile, connectorsAllowedNetworks } = config;
  const rule = createAddressRule(connectorsAllowedNetworks, "CONNECTORS_ALLOWED_NETWORKS");
  const guardedFetch = createGuardedFetch({ rule, resolveName: createResolveName() });
  const deps = { database, log, parse: parsePlainRecord, metrics, guardedFetch };
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

/** Loads the LTI modules only if LTI is on. */
async function openLtiOf(config: Config, database: Database, publicUrl: string): Promise<Lti | undefined> {
  const [first, ...earlier] = config.ltiSecrets;
  if (first === undefined) return undefined;
  const { openLti } = await import("#domain/lti/open-lti.js");
  return openLti({
    database,
    parse: parsePlainRecord,
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
      log.error({ err }, "file store is unavailable; functions that don't need it work"),
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
