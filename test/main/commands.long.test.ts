import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeJwt, jwtVerify } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { givenDatabase } from "../support/database.js";
import { SETTINGS } from "../support/service.js";
import { givenProgram } from "./program.js";

const SECRET = "do not show this secret to anybody";

vi.setConfig({ testTimeout: 240_000 });

const program = givenProgram();
const database = givenDatabase();
/** The settings that a service on an external database needs. */
let given: Record<string, string>;

beforeAll(() => {
  given = {
    ...SETTINGS,
    DATABASE_URL: database.url,
    DATA_DIR: program.scratch("data"),
    URL_SIGNING_SECRET: SECRET,
    AUTH_JWT_SECRET: SECRET,
  };
});

describe("the command line", () => {
  test("--help of every command describes it and its arguments", async () => {
    const root = await program.run(["--help"]);
    const names = [...root.stdout.matchAll(/^ {2}([a-z]+) .*$/gm)].flatMap(([, name]) => name ?? []);
    expect(names).toEqual(
      expect.arrayContaining(["serve", "worker", "migrate", "token", "import", "issue", "help"]),
    );
    const commands = names.filter((each) => each !== "help");
    const helps = await Promise.all(commands.map((name) => program.run([name, "--help"])));
    for (const [index, { exitCode, stdout, stderr }] of helps.entries()) {
      const name = commands[index];
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: learning-credentials ${name}\\b.*\n\n\\w+`));
      expect(stdout).not.toMatch(/\(default:\s+(false|""|0|\[\])\)/); // Such a default doesn't help the reader.
    }
  });

  test("--version prints the version", async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(await program.run(["--version"])).toMatchObject({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  test("a path that can't be written is named, with the remedy", async () => {
    await database.database.knex.raw(
      `insert into credential_types (name, retrieval_func, generation_func, custom_options)
         values ('Certificate', 'learning_credentials.processors.retrieve_completions',
           'learning_credentials.generators.generate_pdf_credential', '{}');
       insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
         select 'course-v1:Uni+C1+2026', id, '{}' from credential_types`,
    );
    const { exitCode, stderr } = await program.run(["preview", "1", "-o", "/nonexistent/p.pdf"], given);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: "/nonexistent/p.pdf: there is no such file or directory. Correct the path.\n",
    });
    await database.database.knex.raw("truncate credential_types restart identity cascade");
  });

  test.each([
    [["nonsense"], "unknown command 'nonsense'"],
    [["issue", "1"], "missing required argument 'username'"],
    [["issue", "2147483648", "ana"], "It must be a whole number, such as 1."],
    [["issue", "1", "ana", "--force"], "unknown option '--force'"],
    [["token", "ana", "--service", "all"], "It must be one of read, write."],
    [["token", "ana", "--expires", "soon"], "It must be a whole number of seconds."],
  ])("%j is refused, with a pointer to the help", async (args, reason) => {
    const { exitCode, stdout, stderr } = await program.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/\nRun it with --help to see its arguments and options\.\n$/);
  });
});

describe("settings", () => {
  test("all wrong ones are listed at once, by name, without a secret", async () => {
    const { exitCode, stdout, stderr } = await program.run(["serve"], {
      DATABASE_URL: `mysql://me:${SECRET}@host/db`,
      AUTH_JWT_SECRET: "short",
      HTTP_PORT: "99999",
      TIME_ZONE: "Mars/Olympus",
      LEARNING_CREDENTIALS_NAME_UPPERCASE: "perhaps",
      TLS_CERT_FILE: "/nope.crt",
      TLS_KEY_FILE: "/nope.key",
      SIGNING_KEY_FILES: "/nope.pem, academy.signers.vault:badges/ed25519",
      CONNECTORS_FILE: "/nope.json",
      LEARNING_CREDENTIALS_PLUGINS: "./nope.js, some-package",
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    const names = stderr.split("\n").map((line) => /^[A-Z_]+/.exec(line)?.[0]);
    expect(names).toEqual(
      expect.arrayContaining([
        "DATABASE_URL",
        "AUTH_JWT_SECRET",
        "HTTP_PORT",
        "TIME_ZONE",
        "LEARNING_CREDENTIALS_NAME_UPPERCASE",
        "PUBLIC_URL",
        "URL_SIGNING_SECRET",
        "TLS_CERT_FILE",
        "TLS_KEY_FILE",
        "CONNECTORS_FILE",
        "LEARNING_CREDENTIALS_PLUGINS",
      ]),
    );
    expect(names.filter((name) => name === "SIGNING_KEY_FILES")).toHaveLength(1);
    expect(stderr).toContain("SIGNING_KEY_FILES: /nope.pem can't be read: ENOENT");
    expect(stderr).not.toContain(SECRET);
    expect(stderr).not.toContain("short");
    expect(stderr).toMatch(/\.docs\/settings\.md lists them all\.\n$/);
  });

  test.each(["serve", "issue 1 x"])(
    "on an external database, `%s` requires the settings that must not be generated",
    async (command) => {
      const { exitCode, stderr } = await program.run(command.split(" "), { DATABASE_URL: database.url });
      expect(exitCode).toBe(1);
      const names = [
        "AUTH_JWT_SECRET or AUTH_JWKS_URL or AUTH_JWKS_FILE or AUTH_JWKS",
        "AUTH_JWT_ISSUER",
        "AUTH_JWT_AUDIENCE",
      ];
      for (const name of [...names, "PUBLIC_URL", "URL_SIGNING_SECRET"]) {
        expect(stderr).toContain(`${name}: must be set when DATABASE_URL is set: `);
      }
    },
  );

  test("sample data is not loaded into an external database", async () => {
    const { exitCode, stderr } = await program.run(["serve", "--sample-data"], given);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("--sample-data requires the embedded database, but DATABASE_URL is set");
  });

  test("a worker on embedded defaults needs the service's address", async () => {
    const { exitCode, stderr } = await program.run(["worker"], { DATA_DIR: program.scratch("nothing") });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("PUBLIC_URL is not set");
  });

  test("misspelt ones are reported once at the start, whatever the number of processes", async () => {
    const service = program.start(["serve", "--processes", "2"], {
      ...given,
      PLATFORM_NAM: "x",
      S3_SECRET: "x",
      LOG_LEVEL: "warn",
    });
    await service.says(/Press Ctrl-C to stop/);
    const { stderr } = await service.end("SIGTERM");
    const reported = stderr
      .split("\n")
      .filter((line) => line.includes("setting is unknown"))
      .map((line) => JSON.parse(line));
    expect(reported).toMatchObject([{ name: "PLATFORM_NAM", meant: "PLATFORM_NAME" }, { name: "S3_SECRET" }]);
  });

  test("LOG_LEVEL is respected", async () => {
    const quiet = program.start(["serve"], { ...given, LOG_LEVEL: "warn" });
    await quiet.says(/Press Ctrl-C to stop/);
    expect(await quiet.end("SIGTERM")).toMatchObject({ exitCode: 0, stderr: "" });
    const loud = program.start(["serve"], { ...given, LOG_LEVEL: "info" });
    await loud.says(/Press Ctrl-C to stop/);
    expect((await loud.end("SIGTERM")).stderr).toContain('"msg":"serving"');
  });
});

describe("an unreachable database", () => {
  const at = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  test.each<[string, (url: URL) => void, RegExp]>([
    [
      "nothing listens",
      (url) => Object.assign(url, { port: "1" }),
      /nothing listens there\. Start it, or correct/,
    ],
    [
      "the password is wrong",
      (url) => Object.assign(url, { password: SECRET }),
      /the password is wrong, or there is no such role\. Correct DATABASE_URL/,
    ],
    [
      "there is no such database",
      (url) => Object.assign(url, { pathname: "/no" }),
      /does not exist\. Create it/,
    ],
    ["the host is unknown", (url) => Object.assign(url, { hostname: "no.invalid" }), /DATABASE_URL/],
  ])("%s: reported in words, with the remedy, without the password", async (_, change, reason) => {
    const { exitCode, stderr } = await program.run(["serve"], { ...given, DATABASE_URL: at(change) });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain("The Postgres of DATABASE_URL (");
    expect(stderr).not.toContain(new URL(at(change)).password);
    expect(stderr).not.toMatch(/\n +at /);
  });
});

describe("without the DATA_DIR of a service", () => {
  const commands = [
    ["worker"],
    ["migrate", "up"],
    ["migrate", "status"],
    ["import", "-"],
    ["import-credentials", "-"],
    ["erase", "ana", "--dry-run"],
    ["release", "ana"],
    ["issue", "1", "ana"],
    ["credentials"],
    ["run", "1", "--dry-run"],
    ["asset", "list"],
    ["preview", "1"],
    ["doctor"],
    ["audit"],
    ["token", "ana"],
  ];

  test.each(commands)(
    "`%s` says where it has looked and what to do, and creates nothing",
    async (...args) => {
      const place = `${program.scratch(`bare-${args.join("-")}`)}/data`;
      const settings = { DATA_DIR: place, PUBLIC_URL: "http://127.0.0.1:8080" };
      const { exitCode, stdout, stderr } = await program.run(args, settings);
      expect({ exitCode, stdout }).toEqual({ exitCode: args[0] === "doctor" ? 2 : 1, stdout: "" });
      expect(stderr).toMatch(/^There is no (database|secret .*) in \S+\/data[,:]/);
      expect(stderr).toContain(place);
      for (const remedy of ["DATA_DIR", "`serve`"]) expect(stderr).toContain(remedy);
      expect(existsSync(join(place, ".."))).toBe(false);
    },
  );

  test("the default DATA_DIR is named, too, and a secret alone makes no database", async () => {
    const { exitCode, stderr } = await program.run(["credentials"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`There is no database in ${program.scratch(".data")}`);
    await mkdir(program.scratch("secret-only"));
    await writeFile(program.scratch("secret-only/auth-jwt-secret"), "0".repeat(64));
    const settings = { DATA_DIR: program.scratch("secret-only") };
    expect((await program.run(["token", "ana"], settings)).exitCode).toBe(0);
    expect((await program.run(["credentials"], settings)).stderr).toContain("There is no database in ");
  });

  test("the directory of a relative DATA_DIR is named if no service runs on it", async () => {
    const settings = { DATA_DIR: "relative", HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "warn" };
    const service = program.start(["serve"], settings);
    await service.says(/Press Ctrl-C to stop/);
    expect(await program.run(["credentials"], settings)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    await service.end("SIGTERM");
    const where = `Using the database in ${program.scratch("relative")}; no service runs on it.\n`;
    const alone = { exitCode: 0, stdout: "", stderr: where };
    expect(await program.run(["credentials"], settings)).toEqual(alone);
    const named = { ...settings, DATA_DIR: program.scratch("relative") };
    expect(await program.run(["credentials"], named)).toEqual({ ...alone, stderr: "" });
  });
});

describe("migrate", () => {
  test("status, down and up, with DATABASE_URL alone", async () => {
    const settings = { DATABASE_URL: database.url };
    const migrate = async (step: string) => {
      const { exitCode, stdout, stderr } = await program.run(["migrate", step], settings);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      return stdout.trim().split("\n");
    };
    const all = await migrate("status");
    const last = all.at(-1)?.replace("applied ", "");
    expect(all.every((line) => line.startsWith("applied "))).toBe(true);
    expect(await migrate("down")).toEqual([`reverted ${last}`]);
    expect((await migrate("status")).at(-1)).toBe(`pending ${last}`);
    expect(await migrate("up")).toEqual([`applied ${last}`, "created the SQL functions of this version"]);
    expect(await migrate("status")).toEqual(all);
  });
});

describe("console", () => {
  test("prints a link for a person with the given roles, and ends sessions", async () => {
    const settings = { ...given, PUBLIC_URL: "https://credentials.test" };
    const link = await program.run(
      ["console", "ada", "--role", "registrar", "--organisation", "Uni", "--organisation", "Lab"],
      settings,
    );
    expect(link).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^https:\/\/credentials\.test\/console\/#sign-in=[\w-]{22}\n$/),
    });
    const ended = await program.run(["console", "ada", "--sign-out"], settings);
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'sessions of "ada" that were ended: 0\n' });
    const reserved = await program.run(["console", "worker"], settings);
    expect(reserved.exitCode).toBe(1);
    expect(reserved.stderr).toContain("worker is reserved for the service itself");
    const unknown = await program.run(["console", "ada", "--role", "boss"], settings);
    expect(unknown.stderr).toContain("It must be one of viewer, registrar, designer, admin.");
  });
});

describe("token", () => {
  test("uses the settings", async () => {
    const settings = { ...given, AUTH_JWT_ISSUER: "https://lms.test", AUTH_JWT_AUDIENCE: "credentials" };
    const { exitCode, stdout } = await program.run(
      ["token", "ana", "--staff", "--service", "write"],
      settings,
    );
    expect(exitCode).toBe(0);
    expect(decodeJwt(stdout.trim())).toMatchObject({
      preferred_username: "ana",
      administrator: true,
      scopes: ["learning_credentials:write"],
      iss: "https://lms.test",
      aud: "credentials",
    });
  });

  test("on embedded defaults, uses the secret that `serve` has generated and only its owner can read", async () => {
    const dataDir = program.scratch("fresh");
    const settings = { DATA_DIR: dataDir, HTTP_PORT: "0", GRPC_PORT: "0" };
    const service = program.start(["serve"], settings);
    await service.says(/Press Ctrl-C to stop/);
    await service.end("SIGTERM");
    const path = join(dataDir, "auth-jwt-secret");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const secret = new TextEncoder().encode(await readFile(path, "utf8"));
    const { exitCode, stdout } = await program.run(["token", "ana"], settings);
    expect(exitCode).toBe(0);
    await jwtVerify(stdout.trim(), secret);

    await writeFile(path, "");
    const damaged = await program.run(["token", "ana"], settings);
    expect(damaged).toMatchObject({ exitCode: 1, stdout: "" });
    expect(damaged.stderr).toContain(`${path} is damaged: remove it`);
  });

  test("can't be minted if others hold the keys", async () => {
    const { exitCode, stderr } = await program.run(["token", "ana"], {
      AUTH_JWKS_URL: "https://lms.test/jwks.json",
      URL_SIGNING_SECRET: SECRET,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("AUTH_JWT_SECRET is not set, so no token can be signed");
  });
});

describe("issue", () => {
  test("a refused request is explained in a sentence", async () => {
    const { exitCode, stdout, stderr } = await program.run(["issue", "1", "nobody"], given);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/There is no credential configuration 1\./);
    expect(stderr).not.toMatch(/\n +at /);
  });
});

describe("run", () => {
  /**
   * Creates three learners, one of them without a name, in a course with a certificate.
   * @returns the configuration's id
   */
  async function offer(): Promise<string> {
    const { knex } = database.database;
    const [reported, key] = ["now(), false", "'course-v1:A+RUN+1'"];
    const learners = "unnest(array['ana', 'ben', 'nameless']) as username";
    const { rows } = await knex.raw(
      `with course as (
         insert into courses values (${key}, 'A Course', '{}', '{}', ${reported})
       ), learner as (
         insert into learners
         select username, '', case username when 'nameless' then '' else 'Learner ' || username end, true, '', ${reported}
         from ${learners}
       ), enrolled as (
         insert into enrollments select ${key}, username, true, ${reported} from ${learners}
       ), completed as (
         insert into completions select ${key}, username, 1, ${reported} from ${learners}
       ), type as (
         insert into credential_types (name, retrieval_func, generation_func, custom_options)
         values ('Certificate', 'learning_credentials.processors.retrieve_completions',
           'learning_credentials.generators.generate_pdf_credential', '{}')
         returning id
       )
       insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
       select ${key}, id, '{}' from type returning id`,
    );
    return String(rows[0].id);
  }

  test("shows the plan, carries it out, can be detached, cancelled and retried, and is followed to its end", async () => {
    const id = await offer();
    const planned = await program.run(["run", id, "--dry-run"], given);
    expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
    expect(planned.stdout).toMatch(
      /^2 credentials to issue, to:\n {2}ana\n {2}ben\n1 skipped: they have no full name\n {2}nameless: .+\n/,
    );
    const all = await program.run(["run", id, "--dry-run", "--all"], given);
    expect(all.stdout).toMatch(
      /^2 credentials to issue, to:\n {2}ana {2}\S.*\n {2}ben {2}\S.*\n1 skipped: they have no full name\n {2}nameless: .+\n/,
    );
    expect(all.stdout.split("\n").at(-2)).toBe(planned.stdout.split("\n").at(-2));
    const [, hash = ""] = /^Plan hash: (\S+)$/m.exec(planned.stdout) ?? [];

    const left = program.start(["run", id, "--plan-hash", hash], given);
    const [, runId = ""] = await left.says(/Run (\S+) has started\./);
    const { exitCode, stderr } = await left.end("SIGINT");
    expect(exitCode).toBe(130);
    expect(stderr).toContain("the run continues");

    const cancelled = await program.run(["run", "cancel", runId], given);
    expect(cancelled).toMatchObject({ exitCode: 0, stderr: "" });
    expect(cancelled.stdout).toContain(`Run ${runId}: cancelled, 0 of 2 available, 2 failed\n  ana (`);

    const again = await program.run(["run", "retry", runId, "--no-wait"], given);
    expect(again).toMatchObject({ exitCode: 0, stdout: "2 credentials are being generated again.\n" });
    const worker = program.start(["worker"], given);
    const followed = await program.run(["run", "watch", runId], given);
    await worker.end("SIGTERM");
    expect([followed.exitCode, followed.stdout]).toEqual([
      0,
      `Run ${runId}: complete, 2 of 2 available, 0 failed\n`,
    ]);
    const listed = await program.run(["run", "list"], given);
    expect(listed.stdout).toContain(`configuration ${id}  ${runId}: complete, 2 of 2 available, 0 failed\n`);
  }, 120_000);

  test("names requirements for which no learner has a record", async () => {
    const { knex } = database.database;
    const { rows } = await knex.raw(
      `with course as (
         insert into courses values ('course-v1:A+MISSPELT+1', 'A Course', '{exam}', '{1}', now(), false)
       ), type as (
         insert into credential_types (name, retrieval_func, generation_func, custom_options)
         values ('Misspelt', 'learning_credentials.processors.retrieve_subsection_grades',
           'learning_credentials.generators.generate_pdf_credential', '{"required_grades": {"Exm": 0.5}}')
         returning id
       )
       insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
       select 'course-v1:A+MISSPELT+1', id, '{}' from type returning id`,
    );
    const { exitCode, stdout } = await program.run(["run", String(rows[0].id), "--dry-run"], given);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      '0 credentials to issue\nWarning: course-v1:A+MISSPELT+1: a grade in "exm" is required, but no learner has one. ' +
        `The course's assignment types are "exam".\nPlan hash: `,
    );
  });

  test("reports an unknown run in a sentence", async () => {
    const { exitCode, stdout, stderr } = await program.run(["run", "watch", "nonsense"], given);
    const nothing = { exitCode: 1, stdout: "", stderr: "Issuance run not found.\n" };
    expect({ exitCode, stdout, stderr }).toEqual(nothing);
  });
});
