import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { jwtVerify } from "jose";
import PostalMime from "postal-mime";
import { beforeAll, expect, test } from "vitest";
import { work } from "#app/work.js";
import { createClient } from "#client/node.js";
import { downloadLink } from "#domain/credentials/download/download-link.js";
import { walletLink } from "#domain/credentials/wallets/wallet-link.js";
import { createLocalFileStore } from "#infrastructure/files/local/file-store.js";
import { mintToken } from "#infrastructure/identity/mint-token.js";
import { ended, startOn } from "../commands/run-command.js";
import { givenAcademy } from "../support/academy.js";
import { JWT_SECRET } from "../support/service.js";

const NEW = "the secret that signs from today on, new";
const OLD = "the secret that has signed until now, old";
const GONE = "the secret that nobody lists any more, gone";

const academy = givenAcademy({
  signs: true, // only then do emails have links for wallets
  settings: { AUTH_JWT_SECRET: `${JWT_SECRET}\n${NEW}\n${OLD}`, URL_SIGNING_SECRET: `${NEW}\n${OLD}` },
});
let uuid: string;

beforeAll(async () => {
  await academy.enrol("ana");
  await academy.report({
    case: "learner",
    value: { username: "ana", fullName: "Ana", email: "ana@uni.test" },
  });
  ({ uuid } = await academy.issue("ana"));
  await academy.generate(uuid);
});

const visit = (url: string) =>
  fetch(url.replace("https://credentials.test", academy.service.httpUrl), { redirect: "manual" });

const accepted = [
  ["the new secret", NEW, true],
  ["the old one, which is still listed", OLD, true],
  ["one that is listed no more", GONE, false],
] as const;

test.each(accepted)("a token signed with %s", async (_which, secret, isAccepted) => {
  const token = await mintToken({ secret, username: "ana", expiresInSeconds: 60 });
  const { httpUrl, grpcAddress } = academy.service;
  const rest = await fetch(`${httpUrl}/download/credential/${uuid}/`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: "manual",
  });
  expect(rest.status).toBe(isAccepted ? 302 : 403);
  const client = createClient({ baseUrl: `http://${grpcAddress}`, token });
  const listed = client.credentials.listMyCredentials({}).then(({ credentials }) => credentials.length);
  await (isAccepted
    ? expect(listed).resolves.toBe(1)
    : expect(listed).rejects.toMatchObject({ rawMessage: "Invalid token." }));
  client.close();
});

test.each(accepted)("a link in an email signed with %s", async (_which, secret, isAccepted) => {
  const { knex } = academy.service.app.database;
  const { link_version: linkVersion } = await knex("credentials").where({ uuid }).first("link_version");
  const answer = await visit(downloadLink(academy.service.httpUrl, secret, { uuid, linkVersion }));
  expect(answer.status).toBe(isAccepted ? 302 : 404);
  if (!isAccepted) return;
  const file = new URL(answer.headers.get("location") ?? "");
  expect((await visit(file.href)).status).toBe(200);
});

test.each(accepted)("a link to a file signed with %s", async (_which, secret, isAccepted) => {
  const { config, database } = academy.service.app;
  const store = createLocalFileStore({
    directory: config.dataDir,
    publicUrl: academy.service.httpUrl,
    secrets: [secret],
    customDomain: undefined,
  });
  const { file_key: key } = await database.knex("credentials").where({ uuid }).first("file_key");
  const { url } = await store.downloadUrl(key);
  expect((await visit(url)).status).toBe(isAccepted ? 200 : 403);
});

test("the first secret signs the tokens of the command line", async () => {
  const { database, config } = academy.service.app;
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: config.dataDir,
    AUTH_JWT_SECRET: `${NEW}\n${OLD}`,
  };
  const { out, err } = await ended(startOn(settings, ["token", "ana"]));
  const verified = jwtVerify(out.trim(), Buffer.from(NEW));
  await expect(verified, err).resolves.toMatchObject({ payload: { preferred_username: "ana" } });
});

test("the first secret signs links to files", async () => {
  const { files, config } = academy.service.app;
  const signed = await files.downloadUrl("learning_credentials/a.pdf", new Date(0));
  const first = createLocalFileStore({
    directory: config.dataDir,
    publicUrl: "https://credentials.test",
    secrets: [NEW],
    customDomain: undefined,
  });
  expect(signed).toEqual(await first.downloadUrl("learning_credentials/a.pdf", new Date(0)));
});

test("the first secret signs all links in emails", async () => {
  const { app } = academy.service;
  const directory = join(app.config.dataDir, "mails");
  const emails = async () =>
    (await readdir(directory).catch(() => [])).filter((name) => name.startsWith(uuid));
  work(app);
  await expect.poll(emails).toHaveLength(1);
  const [name = ""] = await emails();
  const { text = "" } = await PostalMime.parse(await readFile(join(directory, name)));
  const { link_version: linkVersion, verify_uuid: verifyUuid } = await app.database
    .knex("credentials")
    .where({ uuid })
    .first("link_version", "verify_uuid");
  const linked = { uuid, linkVersion };
  expect(text.match(/https:\S+/g)).toEqual([
    downloadLink("https://credentials.test", NEW, linked),
    `https://credentials.test/verify/${verifyUuid}/`,
    walletLink("https://credentials.test", NEW, linked),
  ]);
});
