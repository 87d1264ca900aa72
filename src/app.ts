import type { IncomingMessage } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { ConfigurationService } from "../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../gen/learning_credentials/v1/learner_record_service_pb.js";
import { configurationService } from "./api/configuration-service.js";
import { credentialService } from "./api/credential-service.js";
import { eligibilityService } from "./api/eligibility-service.js";
import { learnerRecordService } from "./api/learner-record-service.js";
import { createPipeline, mount, type Pipeline } from "./api/pipeline.js";
import { createRateLimit, type RateLimit } from "./api/rate-limit.js";
import { tracedPipeline } from "./api/traced-pipeline.js";
import type { Config } from "./config.js";
import { createInspectAsset } from "./configurations/assets/inspect-asset.js";
import { createAssetLoader, type LoadAssets } from "./configurations/assets/load-assets.js";
import type { AssetParts } from "./configurations/assets/manage-assets.js";
import { createFunctions, type Functions } from "./configurations/functions.js";
import { type Announcing, announceCredential } from "./credentials/announce-credential.js";
import { createEventFeed } from "./credentials/events/event-feed.js";
import { removeOldEvents } from "./credentials/events/remove-old-events.js";
import { startSealing } from "./credentials/events/seal-events.js";
import { createFollowDownloadLink } from "./credentials/follow-download-link.js";
import { failLostCredentials, generateCredential } from "./credentials/generate-credential.js";
import { createMetadataLookUp } from "./credentials/look-up-metadata.js";
import { createVerificationLookUp } from "./credentials/look-up-verification.js";
import { moveInvalidatedFile } from "./credentials/move-invalidated-file.js";
import { removeErased } from "./credentials/remove-erased.js";
import { endDoneRuns } from "./credentials/runs/end-done-runs.js";
import { startScheduling } from "./credentials/runs/start-scheduled-runs.js";
import { type Database, openDatabase } from "./db/database.js";
import { attachToEmbeddedPostgres, startEmbeddedPostgres } from "./db/embedded-postgres.js";
import { migrateUp } from "./db/migrate.js";
import { createClientOf } from "./edges/client.js";
import { createConnectHandler } from "./edges/connect.js";
import { connectionLimits } from "./edges/connection-limits.js";
import { createCors } from "./edges/cors.js";
import { createFilesHandler } from "./edges/files.js";
import { createGrpcServer } from "./edges/grpc.js";
import { createHttpServer } from "./edges/http.js";
import { createHealthHandler, createMetricsHandler } from "./edges/ops.js";
import { createDownloadHandler } from "./edges/pages/download.js";
import { createVerifyHandler } from "./edges/pages/verify.js";
import { createRestFront } from "./edges/rest/front.js";
import { createOpenApiHandler } from "./edges/rest/openapi/handler.js";
import { readTlsIdentity } from "./edges/tls.js";
import type { Processor } from "./eligibility/processor.js";
import { Problem } from "./errors.js";
import type { FileStore } from "./files/file-store.js";
import { createLocalFileStore, type LocalFileStore } from "./files/local-file-store.js";
import { createAuthenticate } from "./identity/authenticate.js";
import { enqueueJobs } from "./jobs/enqueue.js";
import { removeFailedJobs } from "./jobs/remove-failed-jobs.js";
import { repeat } from "./jobs/repeat.js";
import { settlesWithin } from "./jobs/settles-within.js";
import type { Tasks } from "./jobs/tasks.js";
import { tracedTasks } from "./jobs/traced-tasks.js";
import { startWorker, type Worker } from "./jobs/worker.js";
import { domainOf } from "./mail/mailbox.js";
import { createMailer } from "./mail/transport.js";
import { countedMailer, countedRenderer, countedStore } from "./ops/counted.js";
import { dependencies } from "./ops/dependencies.js";
import { createMetrics, type Metrics } from "./ops/metrics.js";
import { createReadiness, type Readiness } from "./ops/readiness.js";
import { startTracing, type Tracing } from "./ops/tracing.js";
import { loadPlugins } from "./plugins.js";
import type { Generator } from "./rendering/generator.js";
import { createRenderer, type Renderer } from "./rendering/renderer.js";
import { readSecrets, type Secrets } from "./secrets.js";

/** How long calls and jobs under way may take to finish when the service stops. */
const CLOSE_DEADLINE_MS = 10_000;

/** How often what is kept for so many days is looked through, in milliseconds. */
const RETENTION_PAUSE_MS = 3_600_000;

/** How often it is asked which runs have come to their end, in milliseconds. */
const RUNS_PAUSE_MS = 1_000;

/** Documents are made beside what else the process does, and leave a core to it where there are two. */
const RENDERING_THREADS = Math.max(1, availableParallelism() - 1);

/** What every command works with. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly functions: Functions<Processor, Generator>;
  readonly files: FileStore;
  /** The same store where it is on this machine, and the service itself serves what is in it. */
  readonly localFiles: LocalFileStore | undefined;
  /** Its threads start with the first document. */
  readonly renderer: Renderer;
  readonly loadAssets: LoadAssets;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** undefined: there are no traces. */
  readonly tracing: Tracing | undefined;
  /** Where the service is reached from outside, without a slash at its end. */
  readonly publicUrl: PublicUrl;
  /** Has something released when the app closes, before what was there earlier. */
  defer(release: () => Promise<void>): void;
  close(): Promise<void>;
}

/** `PUBLIC_URL`, or on embedded defaults the address at which the service came to listen. */
export interface PublicUrl {
  /** @throws Problem `failed-precondition` while it is not known */
  get(): string;
  setDefault(url: string): void;
}

/** Where the service listens. */
export interface Serving {
  readonly httpPort: number;
  readonly grpcPort: number;
}

/**
 * Opens the database, brings it up to date, and builds what stands on it.
 * @param embedded whether this process runs the embedded Postgres, or uses the one that another process runs
 * @throws Problem `failed-precondition` when there is no database to use
 */
export async function openApp(config: Config, log: Logger, embedded: "own" | "attach"): Promise<App> {
  const releases: (() => Promise<void>)[] = [];
  const defer = (release: () => Promise<void>) => void releases.push(release);
  const close = async () => {
    for (let release = releases.pop(); release; release = releases.pop()) await release();
  };
  try {
    const database = await openConfiguredDatabase(config, embedded, defer);
    const applied = await migrateUp(database);
    if (applied.length > 0) log.info({ applied }, "database migrated");
    const tracing = config.traceEndpoint ? await startTracing(config.traceEndpoint, log) : undefined;
    if (tracing) defer(async () => void (await settlesWithin(tracing.close(), CLOSE_DEADLINE_MS)));
    const secrets = await readSecrets(config);
    const publicUrl = createPublicUrl(config.publicUrl);
    const metrics = createMetrics(database);
    const { files, localFiles } = await openFiles(config, secrets, publicUrl, metrics);
    const readiness = createReadiness(dependencies({ database, files, outputDir: config.outputDir }), log);
    const { processors, generators, modules } = await loadPlugins(config.plugins);
    const functions = createFunctions(processors, generators);
    const renderer = countedRenderer(createRenderer({ threads: RENDERING_THREADS, modules }), metrics);
    defer(renderer.close);
    const loadAssets = createAssetLoader(database.knex, files);
    return {
      config,
      log,
      database,
      functions,
      files,
      localFiles,
      renderer,
      loadAssets,
      secrets,
      metrics,
      readiness,
      tracing,
      publicUrl,
      defer,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the doors; they close with the app. */
export async function serve(app: App): Promise<Serving> {
  const { config, log } = app;
  const publicLimit = createRateLimit(config.publicRateLimit);
  const pipeline = buildPipeline(app, publicLimit);
  const clientOf = createClientOf(config.trustedProxies);
  const cors = createCors(config.corsAllowedOrigins);
  const rest = createRestFront({ pipeline, cors, clientOf });
  const openApi = createOpenApiHandler(pipeline.services, app.publicUrl.get);
  const connect = createConnectHandler({ pipeline, cors, clientOf, log });
  const files = app.localFiles && createFilesHandler(app.localFiles, log);
  const follow = createFollowDownloadLink({ ...app, secret: app.secrets.urlSigningSecret });
  const site = {
    ...config,
    publicUrl: app.publicUrl.get,
    countVisit: (request: IncomingMessage) => publicLimit.take(clientOf(request)),
  };
  const download = createDownloadHandler(site, follow, pipeline, log);
  const verify = createVerifyHandler(site, createVerificationLookUp(app.database), log);
  const tls = config.tls && (await readTlsIdentity(config.tls));
  const { http: maxHttpConnections, grpc: maxGrpcConnections } = connectionLimits();
  const http = await createHttpServer({
    handlers: [
      createHealthHandler(app.readiness, log),
      openApi,
      rest.handle,
      connect.handle,
      ...(files ? [files.handle] : []),
      download.handle,
      verify.handle,
    ],
    host: config.host,
    port: config.httpPort,
    tls,
    maxConnections: maxHttpConnections,
    isHttps: tls !== undefined || (config.publicUrl?.startsWith("https:") ?? false),
    log,
  });
  app.defer(() => http.close(CLOSE_DEADLINE_MS));
  app.publicUrl.setDefault(`${tls ? "https" : "http"}://${connectable(config.host)}:${http.port}`);
  const grpc = await createGrpcServer({
    pipeline,
    host: config.host,
    port: config.grpcPort,
    tls,
    maxConnections: maxGrpcConnections,
    log,
  });
  app.defer(() => grpc.close(CLOSE_DEADLINE_MS));
  app.defer(async () => pipeline.endWatches());
  return { httpPort: http.port, grpcPort: grpc.port };
}

/**
 * Opens the door for operators, if the settings name one; it closes with the app.
 * @returns its port
 */
export async function serveOps({ config, log, metrics, readiness, defer }: App): Promise<number | undefined> {
  if (config.adminPort === undefined) return undefined;
  const handlers = [createHealthHandler(readiness, log), createMetricsHandler(metrics, log)];
  const { host, adminPort: port } = config;
  const ops = await createHttpServer({ handlers, host, port, setting: "ADMIN_PORT", log });
  defer(() => ops.close(CLOSE_DEADLINE_MS));
  return ops.port;
}

/** Where a server that listens on `host` is reached from the same machine, as it stands in a URL. */
export function connectable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Seals what happens to credentials until the app closes, once in a process that runs for long. */
export function seal({ database, log, defer }: App): void {
  const sealing = startSealing(database.knex, log);
  defer(async () => void (await settlesWithin(sealing.stop(), CLOSE_DEADLINE_MS)));
}

/** Takes jobs from the queue, starts scheduled runs, and removes what is kept no longer, until the app closes. */
export function work(app: App): Worker {
  const { config, log, database, publicUrl } = app;
  const generation = { ...app, outputDir: config.outputDir, publicUrl: publicUrl.get };
  const announcing = openAnnouncing(app);
  publicUrl.get(); // a worker that does not know it can make nothing
  const tasks: Tasks = {
    generate_credential: ({ credentialId }, { isLastAttempt }) =>
      generateCredential(generation, credentialId, isLastAttempt),
    move_file: ({ credentialUuid }) => moveInvalidatedFile(generation, credentialUuid),
    send_mail: ({ credentialUuid }) => announceCredential(announcing, credentialUuid),
    remove_erased: (erased) => removeErased({ ...generation, mailer: announcing.mailer }, erased),
  };
  const worker = startWorker({
    databaseUrl: database.url,
    concurrency: RENDERING_THREADS + 3, // while one document is rendered, others wait for the store or the database
    onRun: app.metrics.job,
    log,
    tasks: app.tracing ? tracedTasks(tasks, app.tracing.tracer) : tasks,
    async onLost(jobs) {
      await failLostCredentials(
        database,
        jobs.flatMap((job) => (job.task === "generate_credential" ? [job.payload.credentialId] : [])),
      );
      // An invalidated file that can still be read is never given up, nor is one of an erased learner.
      await enqueueJobs(
        database.knex,
        jobs.filter(({ task }) => task === "move_file" || task === "remove_erased"),
      );
    },
  });
  app.defer(() => worker.stop(CLOSE_DEADLINE_MS));
  const retention = repeat({
    name: "retention",
    pauseMs: RETENTION_PAUSE_MS,
    log,
    async work(stopping) {
      const { eventRetentionDays, jobRetentionDays } = config;
      if (eventRetentionDays > 0) await removeOldEvents(database.knex, eventRetentionDays, stopping);
      if (jobRetentionDays > 0) await removeFailedJobs(database.knex, jobRetentionDays);
    },
  });
  app.defer(async () => void (await settlesWithin(retention.stop(), CLOSE_DEADLINE_MS)));
  const runs = repeat({
    name: "ending runs",
    pauseMs: RUNS_PAUSE_MS,
    log,
    work: () => endDoneRuns(database),
  });
  app.defer(runs.stop);
  const scheduling = startScheduling({ ...app, settings: config });
  app.defer(scheduling.stop);
  return worker;
}

/** What mails need; the connections to the mail server close with the app. */
function openAnnouncing(app: App): Announcing {
  const { config, log, database, secrets, publicUrl } = app;
  const transport = createMailer({
    smtpUrl: config.smtpUrl,
    directory: join(config.dataDir, "mails"),
    from: config.mailFrom,
    log,
  });
  app.defer(transport.close);
  return {
    database,
    mailer: countedMailer(transport, app.metrics),
    log,
    platformName: config.platformName,
    mailDomain: domainOf(config.mailFrom.address),
    secret: secrets.urlSigningSecret,
    publicUrl: publicUrl.get,
  };
}

/** What managing assets needs. */
export function assetParts({ config, database, functions, files }: App): AssetParts {
  return {
    database,
    functions,
    files,
    inspectAsset: createInspectAsset(),
    assetDir: `${config.outputDir}_assets`,
  };
}

/** Builds the one way to the handlers, for every door. */
function buildPipeline(app: App, publicLimit: RateLimit): Pipeline {
  const { config, log, database, functions, files, secrets } = app;
  const lookUpMetadata = createMetadataLookUp(database);
  const eventFeed = createEventFeed(database.url, log);
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
          eventFeed,
          settings: config,
          outputDir: config.outputDir,
        }),
      ),
      mount(
        ConfigurationService,
        configurationService({ database, functions, assets: assetParts(app), preview, settings: config }),
      ),
      mount(EligibilityService, eligibilityService({ database, functions, files })),
      mount(LearnerRecordService, learnerRecordService(database)),
    ],
    publicLimit,
    maxConcurrentCalls: config.maxConcurrentCalls,
    authenticate: createAuthenticate({ ...config.auth, secret: secrets.authJwtSecret }),
    onCall: app.metrics.call,
    log,
  });
  return app.tracing ? tracedPipeline(pipeline, app.tracing.tracer) : pipeline;
}

/** Opens the database that the settings name, or the embedded one; what it starts is handed to `defer`. */
export async function openConfiguredDatabase(
  config: Config,
  embedded: "own" | "attach",
  defer: App["defer"],
): Promise<Database> {
  const url = config.databaseUrl ?? (await embeddedUrl(config.dataDir, embedded, defer));
  const database = openDatabase(url, config.databasePoolSize);
  defer(database.close);
  return database;
}

async function embeddedUrl(
  dataDir: string,
  embedded: "own" | "attach",
  defer: App["defer"],
): Promise<string> {
  if (embedded === "attach") {
    const url = await attachToEmbeddedPostgres(dataDir);
    if (url !== undefined) return url;
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  defer(postgres.stop);
  return postgres.url;
}

/** Opens the store in the bucket that the settings name, or else in the data directory. */
async function openFiles(
  config: Config,
  secrets: Secrets,
  publicUrl: PublicUrl,
  metrics: Metrics,
): Promise<Pick<App, "files" | "localFiles">> {
  if (config.s3) {
    // minio's client takes half a second to load: only who uses it waits.
    const { openS3FileStore } = await import("./files/s3-file-store.js");
    return { files: countedStore(await openS3FileStore(config.s3), metrics), localFiles: undefined };
  }
  const localFiles = createLocalFileStore({
    directory: join(config.dataDir, "files"),
    publicUrl: publicUrl.get,
    secret: secrets.urlSigningSecret,
    customDomain: config.customDomain,
  });
  return { files: countedStore(localFiles, metrics), localFiles };
}

function createPublicUrl(configured: string | undefined): PublicUrl {
  let url = configured;
  return {
    get() {
      if (url !== undefined) return url;
      throw new Problem(
        "failed-precondition",
        "PUBLIC_URL is not set: it is printed on credentials and leads to files.",
      );
    },
    setDefault(address) {
      url ??= address;
    },
  };
}
