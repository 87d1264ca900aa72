import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VerifiableCredentialFormat as Format } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { ended, startOn } from "../commands/run-command.js";
import { openAcademy } from "../support/academy.js";
import { type InstalledPostgres, startInstalledPostgres } from "../support/installed-postgres.js";
import { tokenOf } from "../support/service.js";

const directory = await mkdtemp(join(tmpdir(), "learning-credentials-foreign-"));
await chmod(directory, 0o777);
const [certificate, key] = [join(directory, "server.crt"), join(directory, "server.key")];
execFileSync(
  "openssl",
  ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"].concat([
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
    "-out",
    certificate,
    "-keyout",
    key,
  ]),
  { stdio: "ignore" },
);
await chmod(key, 0o600);
if (process.getuid?.() === 0) await chown(key, Number(execFileSync("id", ["-u", "postgres"])), -1);

const postgres = await startInstalledPostgres({
  settings: {
    ssl: "on",
    ssl_cert_file: certificate,
    ssl_key_file: key,
    unix_socket_directories: directory,
  },
});
afterAll(async () => {
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe.skipIf(postgres === undefined)("on a PostgreSQL that is set up otherwise", () => {
  const { url: adminUrl, create } = postgres ?? ({} as InstalledPostgres); // vitest also runs the body of a skipped suite

  /**
   * Creates a database.
   * @returns its URL
   */
  async function createWith(options: string): Promise<string> {
    const name = `other_${createHash("sha256").update(options).digest("hex").slice(0, 8)}`;
    const client = new pg.Client(adminUrl);
    await client.connect();
    await client.query(`create database ${name} template template0 ${options}`);
    await client.end();
    return adminUrl.replace(/\/postgres$/, `/${name}`);
  }

  const migrateOn = (url: string) =>
    ended(startOn({ DATABASE_URL: url, DATA_DIR: directory }, ["migrate", "up"]));

  test.each(["require", "verify-ca", "verify-full"])(
    "with a certificate of its own, sslmode=%s is refused in a sentence with the remedy, which works",
    async (mode) => {
      const url = `${await create()}?sslmode=${mode}`;
      const refused = await migrateOn(url);
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.err).toMatch(
        /^The Postgres of DATABASE_URL \(127\.0\.0\.1:\d+\/\w+\): its certificate is not trusted here\. .*sslrootcert=.*NODE_EXTRA_CA_CERTS.*sslmode=no-verify.*\n$/,
      );
      const trusted = await migrateOn(`${url}&sslrootcert=${certificate}`);
      expect(trusted).toMatchObject({ code: 0, err: "" });
    },
  );

  test("a server without TLS is named if sslmode requires it", async () => {
    const plain = await startInstalledPostgres();
    try {
      const { code, err } = await migrateOn(`${await plain?.create()}?sslmode=require`);
      expect([code, err]).toEqual([1, expect.stringMatching(/it does not speak TLS\. .*sslmode=disable/)]);
    } finally {
      await plain?.stop();
    }
  });

  test.each([
    [
      "with user and password before no host",
      (db: string, at: string) => `postgresql://postgres:x@/${db}?${at}`,
    ],
    ["with a user before no host", (db: string, at: string) => `postgres://postgres@/${db}?${at}`],
    ["with no host at all", (db: string, at: string) => `postgresql:///${db}?${at}&user=postgres`],
  ])("a socket in the query of a URL %s is connected to", async (_, urlOf) => {
    const { pathname, port } = new URL(await create());
    const at = `host=${encodeURIComponent(directory)}&port=${port}`;
    expect(await migrateOn(urlOf(pathname.slice(1), at))).toMatchObject({ code: 0, err: "" });
    const wrong = await migrateOn(urlOf("missing", at));
    expect(wrong.err).toContain(
      `The Postgres of DATABASE_URL (${directory}/missing): the database does not exist`,
    );
  });

  test.each(["LATIN1", "SQL_ASCII"])(
    "a database in %s is refused, and nothing is made in it",
    async (encoding) => {
      const url = await createWith(`encoding '${encoding}' locale 'C'`);
      const { code, err } = await migrateOn(url);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(`has the encoding ${encoding}, .* encoding 'UTF8' template template0`),
        ),
      ]);
      const client = new pg.Client(url);
      await client.connect();
      expect((await client.query("select from pg_class where relname = 'credentials'")).rowCount).toBe(0);
      await client.end();
    },
  );

  describe("in Turkish", () => {
    let academy: Awaited<ReturnType<typeof openAcademy>>;
    beforeAll(async () => {
      const url = await createWith("encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C'");
      academy = await openAcademy({ signs: true, settings: { DATABASE_URL: url } });
      const { rows } = await academy.service.app.database.knex.raw("select lower('I') as lower");
      expect(rows).toEqual([{ lower: "ı" }]);
      await academy.enrol("info.ada");
      await academy.service.app.database.knex("learners").update({ email: "INFO.ADA@EXAMPLE.ORG" });
    });
    afterAll(() => academy?.service.stop());

    test("a badge names the recipient as other badge systems do", async () => {
      await academy.configure({ open_badge: { email: true } });
      const { uuid } = await academy.made("info.ada");
      const { content } = await academy.credentials.getVerifiableCredential({ uuid, format: Format.JSON });
      const { credentialSubject } = JSON.parse(Buffer.from(content).toString());
      const { salt, identityHash } = credentialSubject.identifier.find(
        ({ identityType }: { identityType: string }) => identityType === "emailAddress",
      );
      const hash = createHash("sha256").update(`info.ada@example.org${salt}`).digest("hex");
      expect(identityHash).toBe(`sha256$${hash}`);
    });

    test.each(["info.ada@example.org", "INFO.ADA@EXAMPLE.ORG", "İnfo.ada@"])(
      "a learner is found by the address %s",
      async (query) => {
        const learners = academy.service.client(
          LearnerRecordService,
          await tokenOf({ username: "staff", isStaff: true }),
        );
        const found = await learners.searchLearners({ query });
        expect(found.learners.map(({ learner }) => learner?.username)).toEqual(["info.ada"]);
      },
    );
  });
});
