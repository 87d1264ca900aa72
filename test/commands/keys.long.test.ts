import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { readSigningKey } from "#formats/badges/signing-key.js";
import { givenAcademy } from "../support/academy.js";
import { type Ended, ended, startOn } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const DID = "did:web:credentials.test";

const academy = givenAcademy({ signs: true });
let directory: string;
beforeAll(async () => {
  directory = academy.service.app.config.dataDir;
});

function run(args: string[], settings: Record<string, string> = {}): Promise<Ended> {
  const { config, database } = academy.service.app;
  const held = { SIGNING_KEY_FILES: config.signingKeyFiles.join(","), ...settings };
  return ended(startOn({ DATABASE_URL: database.url, DATA_DIR: config.dataDir, ...held }, args));
}

const listed = async (settings = {}) =>
  (await run(["keys", "list"], settings)).out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));

it("creates a key that is published before it signs, and revokes another", async () => {
  const { config } = academy.service.app;
  const [signing] = academy.service.app.signingKeys?.own.all ?? [];
  const today = new Date().toISOString().slice(0, 10);
  const before = await listed();
  expect(before).toHaveLength(2);
  expect(before).toContainEqual(["signs", "Ed25519", today, `${DID}#${signing?.fragment}`]);

  const path = join(directory, "new.pem");
  const made = await run(["keys", "new", "ed25519", path]);
  const key = readSigningKey(await readFile(path, "utf8"));
  expect(made).toEqual({ code: 0, out: `${path}\n`, err: `published ${DID}#${key.fragment}\n` });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const document = await (await fetch(`${academy.service.httpUrl}/.well-known/did.json`)).text();
  expect(document).toContain(key.fragment);
  expect(await listed()).toContainEqual(["published", "Ed25519", today, `${DID}#${key.fragment}`]);
  const rotated = { SIGNING_KEY_FILES: [path, ...config.signingKeyFiles].join(",") };
  const states = Object.fromEntries((await listed(rotated)).map(([state, , , id]) => [id, state]));
  expect(states).toMatchObject({
    [`${DID}#${key.fragment}`]: "signs",
    [`${DID}#${signing?.fragment}`]: "held",
  });

  const again = await run(["keys", "new", "ed25519", path]);
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining("already exists. No key was created."),
  });
  expect(await run(["keys", "new", "ed25519"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Name the file to create the key in"),
  });

  await academy.issued("ana");
  const revoked = await run(["keys", "revoke", `${DID}#${signing?.fragment}`, "It was on a stolen laptop."]);
  expect(revoked).toMatchObject({ code: 0, out: expect.stringContaining("1 credentials in force") });
  expect(await listed()).toContainEqual([
    "revoked",
    "Ed25519",
    today,
    `${DID}#${signing?.fragment}`,
    today,
    "It was on a stolen laptop.",
  ]);
  const twice = await run(["keys", "revoke", String(signing?.fragment), "Again."]);
  expect(twice).toMatchObject({ code: 1, err: expect.stringContaining("was revoked on") });
  expect(await run(["keys", "revoke", "nothing", "Why not."])).toMatchObject({
    code: 1,
    err: expect.stringContaining("No key nothing was ever published here"),
  });
  const { rows } = await academy.service.app.database.knex.raw(
    "select method, objects from audit_entries where method like 'keys%' order by id",
  );
  expect(JSON.stringify(rows)).toContain(`key:${key.fragment}`);
  expect(JSON.stringify(rows)).toContain(`key:${signing?.fragment}`);
});

it("creates a key for an organisation, which signs in its name once ISSUERS_FILE names it", async () => {
  const { config } = academy.service.app;
  const path = join(directory, "uni.pem");
  const made = await run(["keys", "new", "ed25519", path, "--organisation", "Uni"]);
  const key = readSigningKey(await readFile(path, "utf8"));
  const id = `${DID}:organisations:Uni#${key.fragment}`;
  expect(made).toEqual({ code: 0, out: `${path}\n`, err: `published ${id}\n` });
  const documents = ["/.well-known/did.json", "/organisations/Uni/did.json"].map(async (at) =>
    (await fetch(`${academy.service.httpUrl}${at}`)).text(),
  );
  const [own, ofUni] = await Promise.all(documents);
  expect([own?.includes(key.fragment), ofUni?.includes(key.fragment)]).toEqual([false, true]);

  const today = new Date().toISOString().slice(0, 10);
  expect(await listed()).toContainEqual(["published", "Ed25519", today, id]);
  const issuers = join(directory, "issuers.json");
  await writeFile(issuers, JSON.stringify({ Uni: { name: "University", signing_keys: [path] } }));
  expect(await listed({ ISSUERS_FILE: issuers })).toContainEqual(["signs", "Ed25519", today, id]);

  const stolen = { ISSUERS_FILE: issuers, SIGNING_KEY_FILES: [path, ...config.signingKeyFiles].join(",") };
  expect(await run(["keys", "list"], stolen)).toMatchObject({
    code: 1,
    err: expect.stringContaining("each issuer needs its own keys"),
  });
  expect(await run(["keys", "new", "ed25519", "--organisation", "Uni"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("ISSUERS_FILE"),
  });
  expect(
    await run(["keys", "new", "ed25519", join(directory, "x.pem"), "--organisation", "a b"]),
  ).toMatchObject({ code: 1, err: expect.stringContaining("is not the org part of context keys") });
  const revoked = await run(["keys", "revoke", id, "A trial."]);
  expect(revoked).toMatchObject({ code: 0, out: expect.stringContaining(`revoked ${key.fragment}`) });
  const after = await fetch(`${academy.service.httpUrl}/organisations/Uni/did.json`);
  expect(await after.text()).not.toContain(key.fragment);
});

it("prints how to enter the issuer in registries, and doctor queries them", async () => {
  const { out, code } = await run(["issuer", "entry", "--location", "By the sea"], {
    PLATFORM_NAME: "Harbour Light",
    ISSUER_IMAGE: "https://harbour.test/logo.png",
  });
  expect(code).toBe(0);
  const [entry = "", statement = ""] = out.split("\n\n");
  expect(JSON.parse(entry)).toEqual({
    [DID]: { name: "Harbour Light", location: "By the sea", url: "https://credentials.test" },
  });
  expect(JSON.parse(statement)).toEqual({
    sub: DID,
    metadata: {
      federation_entity: {
        organization_name: "Harbour Light",
        homepage_uri: "https://credentials.test",
        logo_uri: "https://harbour.test/logo.png",
      },
      institution_additional_information: { legal_name: "Harbour Light" },
    },
  });
  expect(await run(["issuer", "entry", "--organisation", "Nobody"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Nobody issues no badges"),
  });
  expect(await run(["issuer", "entry"], { PUBLIC_URL: "http://credentials.test" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("registries list only permanent addresses"),
  });
  const received = await run(["doctor", "--registries", "https://127.0.0.1:1/list"]);
  expect(received.out).toContain("unanswered-registry (warning, 1)");
  expect(received.out).toContain("https://127.0.0.1:1/list can't be reached");
});
