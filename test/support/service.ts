import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { SignJWT } from "jose";
import { type Logger, pino } from "pino";
import { type App, openApp, RENDERING_THREADS } from "#app/app.js";
import { startBackground } from "#app/background.js";
import { listen } from "#app/listen.js";
import { serve } from "#app/serve.js";
import { work } from "#app/work.js";
import { createRenderer, type Renderer } from "#formats/rendering/engine/renderer.js";
import { READ_SCOPE, WRITE_SCOPE } from "#infrastructure/identity/claims.js";
import { mintToken } from "#infrastructure/identity/mint-token.js";
import { instrumentedRenderer } from "#runtime/ops/instrumented.js";
import { readConfig } from "#runtime/settings/config.js";
import type { PgBouncer } from "../db/pgbouncer.js";
import { createTestDatabase } from "./database.js";
import { given } from "./given.js";
import { writeSigningKeys } from "./signing-keys.js";

/** The secret that signs the tokens of test services. */
export const JWT_SECRET = "a secret that only tests know, 32+";

/** Settings of all test services, besides database and directory: free ports, and tokens of any issuer. */
export const SETTINGS = {
  HOST: "127.0.0.1",
  HTTP_PORT: "0",
  GRPC_PORT: "0",
  PUBLIC_URL: "https://credentials.test",
  PUBLIC_RATE_LIMIT: "0",
  URL_SIGNING_SECRET: "another secret that only tests know",
  AUTH_JWT_SECRET: JWT_SECRET,
  AUTH_JWT_ISSUER: "any",
  AUTH_JWT_AUDIENCE: "any",
};

/** A complete service with its own database: the same `App` that `serve` runs, on free ports. */
export interface TestService {
  readonly app: App;
  /** `http://127.0.0.1:<port>` */
  readonly httpUrl: string;
  /** `127.0.0.1:<port>` */
  readonly grpcAddress: string;
  readonly grpcPort: number;
  /** Returns a Connect client with this caller's token. */
  client<S extends DescService>(service: S, token?: string): Client<S>;
  stop(): Promise<void>;
}

/** @param settings environment variables that override the defaults of tests */
export async function startTestService(
  options: {
    worker?: boolean;
    /** Whether the service has signing keys. */
    signs?: boolean;
    settings?: Record<string, string>;
    log?: Logger;
    /** A pooler in transaction mode, through which the service reaches its database. */
    pooler?: Pick<PgBouncer, "through">;
    /**
     * Another service that shares its database and files with this service, as after a restart with other settings. The
     * other service must stop last.
     */
    beside?: TestService;
  } = {},
): Promise<TestService> {
  const { url, dataDir, drop } = options.beside ? placeOf(options.beside) : await createSurroundings();
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    ...SETTINGS,
    WEBHOOK_SECRET: "a third secret that only tests know",
    SETTINGS_SECRET: "a fourth secret that only tests know",
    SIGNING_KEY_FILES: "none",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    ...(options.pooler && {
      DATABASE_URL: options.pooler.through(url),
      DATABASE_DIRECT_URL: url,
    }),
    ...(options.signs && { SIGNING_KEY_FILES: await writeSigningKeys(dataDir) }),
    ...options.settings,
  });
  const log = options.log ?? pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
  const listening = await listen(config, log);
  const opened = await openApp(config, log, "own", listening.url);
  const app: App = config.plugins.length > 0 ? opened : { ...opened, renderer: sharedRenderer(opened) };
  startBackground(app, ["sealing", "revoked keys", "issuers"]);
  const { httpPort, grpcPort } = await serve(app, listening);
  if (options.worker) work(app);
  const httpUrl = `http://127.0.0.1:${httpPort}`;
  return {
    app,
    httpUrl,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    grpcPort,
    client(service, token) {
      const transport = createConnectTransport({
        baseUrl: httpUrl,
        httpVersion: "1.1",
        interceptors: [
          (next) => (request) => {
            if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
            return next(request);
          },
        ],
      });
      return createClient(service, transport);
    },
    async stop() {
      await app.close();
      await drop();
    },
  };
}

/** Provides a service that starts before the tests of this file or of a `describe`, and stops after them. */
export function givenService(options?: Parameters<typeof startTestService>[0]): TestService {
  return given(
    () => startTestService(options),
    (service) => service.stop(),
  );
}

let renderer: Renderer | undefined;

/**
 * Returns one renderer for all services of this process, because starting a rendering thread takes two seconds of
 * processor time. The renderer doesn't depend on a service, except on its plug-ins.
 */
function sharedRenderer({ metrics }: App): Renderer {
  renderer ??= createRenderer({ threads: RENDERING_THREADS });
  return instrumentedRenderer(renderer, metrics);
}

async function createSurroundings() {
  const { url, drop: dropDatabase } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-files-"));
  async function drop() {
    await dropDatabase();
    await rm(dataDir, { recursive: true, force: true });
  }
  return { url, dataDir, drop };
}

function placeOf({ app: { config } }: TestService) {
  if (config.databaseUrl === undefined) throw new Error("it has no database of its own");
  return { url: config.databaseUrl, dataDir: config.dataDir, drop: async () => undefined };
}

/** Signs a token for a learner, a staff user, or a service. */
export function tokenOf(caller: {
  username: string;
  isStaff?: boolean;
  service?: "read" | "write";
  issuer?: string | string[] | undefined;
  audience?: string | string[] | undefined;
}): Promise<string> {
  return mintToken({
    secret: JWT_SECRET,
    username: caller.username,
    isStaff: caller.isStaff ?? false,
    issuer: caller.issuer,
    audience: caller.audience,
    scopes: caller.service ? [caller.service === "write" ? WRITE_SCOPE : READ_SCOPE] : [],
    expiresInSeconds: 3600,
  });
}

/** Signs a token for a member of staff whom the claim `organisations` restricts to these organisations. */
export function boundedToken(service: TestService, organisations: readonly string[]): Promise<string> {
  const { issuer: [issuer = ""] = [], audience = [] } = service.app.config.auth;
  return new SignJWT({ preferred_username: "bounded", administrator: true, organisations })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime("1h")
    .sign(Buffer.from(JWT_SECRET));
}
