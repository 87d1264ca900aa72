import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createPrivateKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { variableNames } from "#runtime/settings/config.js";
import { createTestDatabase, rowsOf, type TestDatabase } from "../support/database.js";
import { givenDirectory } from "../support/directory.js";
import { freePort } from "../support/free-port.js";
import { listen } from "../support/listen.js";
import { readPage } from "./documents.js";
import { unknownFields } from "./kubernetes-schemas.js";
import { givenProgram, ROOT } from "./program.js";
import { SECRET_PATHS } from "./secret-paths.js";

vi.setConfig({ testTimeout: 120_000 });

const PYTHON = "/usr/bin/python3";
const PLUGIN = ".deploy/tutor/learning_credentials.py";
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const whyNot = has(PYTHON, "-c", "import jinja2, Cryptodome")
  ? undefined
  : "Python has no Jinja: apt-get install python3-jinja2 python3-pycryptodome";
const whyNoCaddy = has("caddy", "version") ? whyNot : "caddy is not here: apt-get install caddy";
const whyNoCompose = has("docker-compose", "version")
  ? whyNot
  : "docker-compose is not here: apt-get install docker-compose";
for (const reason of new Set([whyNot, whyNoCaddy, whyNoCompose]))
  if (reason) console.warn(`skipped: the plug-in for Tutor; ${reason}`);

/** The settings, patches and tasks that Tutor has after `tutor config save`. */
interface Rendered {
  readonly patches: Readonly<Record<string, string>>;
  readonly tasks: readonly (readonly [string, string])[];
  readonly hosts: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: settings have many types
  readonly config: Readonly<Record<string, any>>;
}

function render(settings: Readonly<Record<string, unknown>> = {}): Rendered {
  const script = join(ROOT, "test/main/render-tutor.py");
  const args = [script, join(ROOT, PLUGIN), JSON.stringify(settings)];
  return JSON.parse(execFileSync(PYTHON, args, { encoding: "utf8" }));
}

const indent = (text: string | undefined, by: string) => `${text}`.replaceAll(/^(?=.)/gm, by);

/** Returns a Compose file with the patch at the place where Tutor inserts it. */
function composeFile(patch: string | undefined): string {
  return `version: "3.9"\nservices:\n  permissions:\n    image: permissions\n${indent(patch, "  ")}\n`;
}

/** Returns a Caddyfile with the patches at the places where Tutor inserts them. */
function caddyfile({ patches, config }: Rendered): string {
  return [
    `{\n${indent(patches["caddyfile-global"], "  ")}\n}`,
    "(proxy) {\n  log {\n    output stdout\n  }\n  encode gzip\n  reverse_proxy {args.0}\n}",
    `${config.LMS_HOST}{$default_site_port} {\n  import proxy "lms:8000"\n${indent(patches["caddyfile-lms"], "  ")}`,
    "  handle_path /* {\n    request_body {\n      max_size 4MB\n    }\n  }\n}",
    patches.caddyfile,
  ].join("\n");
}

describe.skipIf(whyNot)("the plug-in for Tutor, rendered,", () => {
  const directory = givenDirectory("tutor");
  let plain: Rendered;
  let secure: Rendered;
  beforeAll(() => {
    plain = render();
    secure = render({
      ENABLE_HTTPS: true,
      LMS_HOST: "lms.example.org",
      MFE_HOST: "apps.lms.example.org",
      PLATFORM_NAME: `The "Academy's" $PATH: <1>`,
      LEARNING_CREDENTIALS_SETTINGS: { LOG_LEVEL: "warn", PUBLIC_RATE_LIMIT: 60 },
      LEARNING_CREDENTIALS_CONNECTOR: { completion: "aggregator" },
    });
  });
  const environmentOf = ({ patches }: Rendered, service = "learning-credentials") =>
    Object.fromEntries(
      Object.entries<string>(parse(patches["local-docker-compose-services"] ?? "")[service].environment).map(
        ([name, value]) => [name, value.replaceAll("$$", "$")],
      ),
    );

  test("has only existing settings, and those from which the start makes files", () => {
    for (const rendered of [plain, secure]) {
      const names = Object.keys(environmentOf(rendered));
      const { entrypoint } = parse(rendered.patches["local-docker-compose-services"] ?? "")[
        "learning-credentials"
      ];
      const made = names.filter((name) => name.startsWith("TUTOR_"));
      expect(made).toHaveLength(4);
      for (const name of made) expect(entrypoint.join()).toContain(`"$$${name}"`);
      expect(variableNames).toEqual(expect.arrayContaining(names.filter((name) => !made.includes(name))));
    }
    expect(environmentOf(secure)).toMatchObject({
      PLATFORM_NAME: `The "Academy's" $PATH: <1>`,
      PUBLIC_URL: "https://credentials.lms.example.org",
      CORS_ALLOWED_ORIGINS: "https://lms.example.org,https://apps.lms.example.org",
      AUTH_JWT_ISSUER: "https://lms.example.org/oauth2",
      OPENEDX_URL: "https://lms.example.org",
      LOG_LEVEL: "warn",
      PUBLIC_RATE_LIMIT: "60",
    });
    expect(environmentOf(plain)).toMatchObject({
      CORS_ALLOWED_ORIGINS: "http://local.openedx.io",
      SMTP_URL: "smtp://smtp:8025",
      TRUSTED_PROXIES: "1",
    });
    expect(environmentOf(plain)).not.toHaveProperty("OPENEDX_URL");
    expect(environmentOf(render({ ENABLE_WEB_PROXY: false })).TRUSTED_PROXIES).toBe("2");
    const [connector] = JSON.parse(environmentOf(secure).TUTOR_CONNECTORS ?? "");
    expect(connector).toMatchObject({ base_url: "http://lms:8000", completion: "aggregator" });
    expect(secure.hosts).toEqual(["credentials.lms.example.org"]);
  });

  test("has secrets that are long, and unique to one installation", () => {
    const secretsOf = ({ config }: Rendered) =>
      Object.entries<string>(config).filter(([name]) =>
        /^LEARNING_CREDENTIALS_.*(PASSWORD|SECRET|SECRET_SSO|ED25519|P256)$/.test(name),
      );
    expect(secretsOf(plain)).toHaveLength(10);
    for (const [name, value] of secretsOf(plain)) {
      expect(value.length, name).toBeGreaterThanOrEqual(24);
      expect(secure.config[name]).not.toBe(value);
    }
  });

  test("uses the owner of the tables only in the job that migrates, and gives LMS accounts read access only", () => {
    const { config, patches, tasks } = secure;
    const password = config.LEARNING_CREDENTIALS_POSTGRES_OWNER_PASSWORD;
    expect(JSON.stringify(environmentOf(secure))).not.toContain(password);
    expect(JSON.stringify(environmentOf(secure, "learning-credentials-worker"))).not.toContain(password);
    expect(patches["local-docker-compose-jobs-services"]).toContain(password);
    const [lms, migrate] = tasks.map(([service, text]) => ({ service, text }));
    expect([lms?.service, migrate?.service]).toEqual(["lms", "learning-credentials"]);
    expect(lms?.text).toMatch(/manage_user "\$username" "\$username@openedx" --staff --unusable-password$/m);
    expect(lms?.text).not.toContain("superuser");
    expect(lms?.text).toContain(
      "--redirect-uris 'https://credentials.lms.example.org/console/sign-in/callback'",
    );
    expect(plain.tasks[0]?.[1]).not.toContain("authorization-code");
    for (const [, text] of [...tasks, ...plain.tasks]) execFileSync("sh", ["-n"], { input: text });
  });

  test.skipIf(whyNoCompose)("is accepted by Compose", async () => {
    for (const { patches } of [plain, secure]) {
      const files = ["local-docker-compose-services", "local-docker-compose-jobs-services"].map(
        (name) => [join(directory, `${name}.yml`), composeFile(patches[name])] as const,
      );
      for (const [path, text] of files) await writeFile(path, text);
      const args = files.flatMap(([path]) => ["-f", path]);
      const said = execFileSync("docker-compose", [...args, "config"], { encoding: "utf8", cwd: directory });
      const { services } = parse(said);
      expect(Object.keys(services).sort()).toEqual([
        "learning-credentials",
        "learning-credentials-db",
        "learning-credentials-job",
        "learning-credentials-worker",
        "permissions",
      ]);
      expect(services["learning-credentials-worker"]).toMatchObject({ command: ["worker"], read_only: true });
    }
  });

  test("fits the schemas of Kubernetes", async () => {
    const { patches } = secure;
    const manifests = ["k8s-deployments", "k8s-services", "k8s-volumes", "k8s-jobs"].flatMap((name) =>
      parseAllDocuments(patches[name] ?? "").flatMap((document) => {
        expect(document.errors).toEqual([]);
        return document.contents === null ? [] : [document.toJS()];
      }),
    );
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "Secret learning-credentials",
      "Secret learning-credentials-owner",
      "Secret learning-credentials-db",
      "Deployment learning-credentials-db",
      "Deployment learning-credentials",
      "Service learning-credentials",
      "Service learning-credentials-db",
      "PersistentVolumeClaim learning-credentials",
      "PersistentVolumeClaim learning-credentials-db",
      "Job learning-credentials-job",
    ]);
    for (const manifest of manifests)
      expect({ manifest, unknown: await unknownFields(manifest) }).toEqual({ manifest, unknown: [] });
    const [settings, , , , deployment] = manifests;
    expect(settings.stringData).toEqual(environmentOf(secure));
    const { containers, volumes } = deployment.spec.template.spec;
    for (const { volumeMounts } of containers)
      expect(volumes.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(volumeMounts.map(({ name }: { name: string }) => name)),
      );
  });

  test("has each setting of its page", async () => {
    const page = await readPage("tutor");
    const named = [...page.matchAll(/`(LEARNING_CREDENTIALS_[A-Z0-9_]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(Object.keys(plain.config)).toEqual(expect.arrayContaining(named));
  });

  describe.skipIf(whyNoCaddy)("behind Caddy", () => {
    const program = givenProgram();
    const role = `service_${randomBytes(8).toString("hex")}`;
    let db: TestDatabase;
    let rendered: Rendered;
    let stop: () => Promise<unknown>;
    let stopService: () => Promise<unknown>;
    let log = "";
    let front: number;

    /** Replaces the addresses of containers by addresses on this machine. */
    const here = (text: string) => {
      const { host, pathname } = new URL(db.url);
      return text
        .replaceAll("/tmp/", `${directory}/`)
        .replace(/^postgres:\/\/learning_credentials:\S+/, db.url)
        .replace(/@learning-credentials-db\/\S+/, `@${host}${pathname}`);
    };
    const hereAll = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, here(value)]));

    beforeAll(async () => {
      db = await createTestDatabase();
      rendered = render({
        ENABLE_HTTPS: true,
        MFE_HOST: "apps.local.openedx.io",
        LEARNING_CREDENTIALS_POSTGRES_USERNAME: role,
      });
      const service = parse(rendered.patches["local-docker-compose-services"] ?? "")["learning-credentials"];
      const job = parse(rendered.patches["local-docker-compose-jobs-services"] ?? "")[
        "learning-credentials-job"
      ];
      const [http, grpc, admin] = [await freePort(), await freePort(), await freePort()];
      const ports = { HTTP_PORT: `${http}`, GRPC_PORT: `${grpc}`, ADMIN_PORT: `${admin}`, HOST: "127.0.0.1" };
      const cwd = program.scratch("");
      const env = { PATH: process.env.PATH, HOME: process.env.HOME };
      execFileSync("sh", ["-ec", rendered.tasks[1]?.[1] ?? ""], {
        cwd,
        env: { ...env, ...hereAll(job.environment) },
      });

      const [shell, flags, start, name] = service.entrypoint;
      const settings = { ...hereAll(environmentOf(rendered)), ...ports, DATA_DIR: join(directory, "data") };
      const running = spawn(shell, [flags, here(start.replaceAll("$$", "$")), name, ...service.command], {
        cwd,
        env: { ...env, ...settings },
      });
      for (const stream of [running.stdout, running.stderr])
        stream.setEncoding("utf8").on("data", (text) => {
          log += text;
        });
      const serviceEnded = once(running, "exit");
      stopService = () => {
        running.kill();
        return serviceEnded;
      };
      await becomesTrue(() =>
        fetch(`http://127.0.0.1:${admin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );

      const lms = createServer((request, response) => response.end(`the LMS: ${request.url}`));
      const lmsPort = await listen(lms);
      front = await freePort();
      const path = join(directory, "Caddyfile");
      await writeFile(path, caddyfile(rendered));
      const adapted = execFileSync("caddy", ["adapt", "--adapter", "caddyfile", "--config", path], {
        env: { ...env, default_site_port: ":80" },
        encoding: "utf8",
      });
      const configuration = JSON.parse(
        adapted
          .replaceAll('"lms:8000"', `"127.0.0.1:${lmsPort}"`)
          .replaceAll('"learning-credentials:8080"', `"127.0.0.1:${http}"`)
          .replaceAll('"learning-credentials:50051"', `"127.0.0.1:${grpc}"`),
      );
      Object.assign(configuration.apps.http.servers.srv0, {
        protocols: ["h1", "h2", "h2c"], // without TLS, HTTP/2 is available as h2c only
        listen: [`127.0.0.1:${front}`],
        automatic_https: { disable: true }, // Caddy itself disables it on port 80 only
      });
      configuration.admin = { disabled: true, config: { persist: false } };
      await writeFile(join(directory, "caddy.json"), JSON.stringify(configuration));
      const caddy = spawn("caddy", ["run", "--config", join(directory, "caddy.json")], {
        env: { ...env, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
      });
      for (const stream of [caddy.stdout, caddy.stderr])
        stream.setEncoding("utf8").on("data", (text) => {
          log += text;
        });
      const caddyEnded = once(caddy, "exit");
      stop = async () => {
        caddy.kill();
        lms.close();
        await caddyEnded;
        await stopService();
      };
      await becomesTrue(() => send("local.openedx.io", "/").then(({ status }) => status === 200));
    });
    afterAll(async () => {
      await stop?.();
      await db?.database.knex.raw(`drop owned by ${role}; drop role ${role}`);
      await db?.drop();
    });

    const becomesTrue = (condition: () => Promise<boolean>) =>
      vi.waitUntil(condition, { timeout: 60_000 }).catch((error) => {
        throw new Error(log, { cause: error });
      });

    /** Sends a request with curl, because Node's fetch doesn't allow another `Host`. */
    async function send(host: string, path: string, headers: Record<string, string> = {}) {
      const args = ["-s", "-i", "-H", `Host: ${host}`];
      for (const [name, value] of Object.entries(headers)) args.push("-H", `${name}: ${value}`);
      const child = spawn("curl", [...args, `http://127.0.0.1:${front}${path}`]);
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      await once(child, "close");
      const [head = "", ...body] = text.split("\r\n\r\n");
      return { status: Number(/^HTTP\S+ (\d+)/.exec(head)?.[1]), head, body: body.join("\r\n\r\n") };
    }

    /** Creates a token as the LMS does. */
    function tokenOf(username: string, claims: Record<string, unknown> = {}) {
      const { config } = rendered;
      return new SignJWT({
        preferred_username: username,
        scopes: ["user_id", "email", "profile"],
        filters: ["user:me"],
        is_restricted: false,
        version: "1.2.0",
        ...claims,
      })
        .setProtectedHeader({ alg: "RS512", kid: "openedx" })
        .setIssuer(config.JWT_COMMON_ISSUER)
        .setAudience(config.JWT_COMMON_AUDIENCE)
        .setSubject(`anonymous id of ${username}`)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(createPrivateKey(config.JWT_RSA_PRIVATE_KEY));
    }

    const CONFIGURED = "/api/learning_credentials/v1/configured/course-v1:OpenedX+DemoX+DemoCourse/";

    test("a token of the LMS opens the route on the LMS's host, for a page of a micro-frontend", async () => {
      const [header, payload, signature] = (await tokenOf("staff", { administrator: true })).split(".");
      const { status, head, body } = await send("local.openedx.io", CONFIGURED, {
        Origin: "https://apps.local.openedx.io",
        "USE-JWT-COOKIE": "true",
        Cookie: `edx-jwt-cookie-header-payload=${header}.${payload}; edx-jwt-cookie-signature=${signature}`,
      });
      expect({ status, body: JSON.parse(body) }).toMatchObject({
        status: 200,
        body: { has_credentials: false, credential_count: 0 },
      });
      expect(head).toContain("Access-Control-Allow-Origin: https://apps.local.openedx.io");
      expect((await send("local.openedx.io", CONFIGURED)).status).toBe(403);
    });

    test("everything else on that host belongs to the LMS", async () => {
      for (const path of ["/", "/api/learning_credentialsx/v1/", "/verify/", "/console/"])
        expect((await send("local.openedx.io", path)).body).toBe(`the LMS: ${path}`);
    });

    test("the service's own host has pages, REST and gRPC", async () => {
      const { config } = rendered;
      const authorization = `Bearer ${await tokenOf("staff", { administrator: true })}`;
      expect((await send(config.LEARNING_CREDENTIALS_HOST, "/verify/")).body).toContain("<title>");
      expect((await send(config.LEARNING_CREDENTIALS_HOST, CONFIGURED, { authorization })).status).toBe(200);
      const badgeIssuer = await send(config.LEARNING_CREDENTIALS_HOST, "/.well-known/did.json");
      expect(badgeIssuer.status).toBe(200);
      const transport = createGrpcTransport({
        baseUrl: `http://127.0.0.1:${front}`,
        interceptors: [
          (next) => (request) => {
            request.header.set("host", config.LEARNING_CREDENTIALS_HOST);
            return next(request);
          },
        ],
      });
      const error = await createClient(CredentialService, transport)
        .getCredentialMetadata({ verifyUuid: "00000000-0000-0000-0000-000000000000" })
        .catch(ConnectError.from);
      expect(error).toMatchObject({ code: Code.NotFound });
    });

    test("the service has read the connector, and logs no warnings", async () => {
      expect((await readdir(directory)).sort()).toEqual(
        expect.arrayContaining(["connectors.json", "ed25519.pem", "openedx-client-secret", "p256.pem"]),
      );
      expect(log).toContain('"msg":"serving"');
      expect(log.match(/^\{"level":[45]0.*$/gm)).toBeNull();
      const [owned] = await rowsOf<{ count: string }>(
        db.url,
        `select count(*) from pg_tables where tableowner = '${role}'`,
      );
      expect(owned?.count).toBe("0");
    });

    test("a secret address is in no log, also while the service is unavailable", async () => {
      const { config } = rendered;
      const paths = SECRET_PATHS.map((path) => `${path}never-to-be-logged`);
      for (const path of paths) await send(config.LEARNING_CREDENTIALS_HOST, path);
      await stopService();
      onTestFinished(() => expect(log).not.toContain("never-to-be-logged"));
      for (const path of paths) {
        const { status } = await send(config.LEARNING_CREDENTIALS_HOST, path);
        expect(status).toBe(502);
      }
      await expect
        .poll(() => log.match(/"uri": ?"\/(?:download|wallet|files)\//g)?.length ?? 0)
        .toBeGreaterThan(2);
    });
  });
});
