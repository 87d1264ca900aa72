import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readSigningKeys } from "#domain/keys/signing-keys.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { readConfig } from "#runtime/settings/config.js";
import { newDirectory } from "../support/directory.js";
import { startTestService, type TestService } from "../support/service.js";
import { writeSigningKeys } from "../support/signing-keys.js";

let directory: string;
beforeEach(async () => {
  directory = newDirectory("signing");
});

const embedded = () => readConfig({ DATA_DIR: directory });
const named = (files: string) => readConfig({ DATA_DIR: directory, SIGNING_KEY_FILES: files });

describe("on the embedded database", () => {
  test("keys of both kinds are generated once, readable only by their owner", async () => {
    const [keys, others] = await Promise.all([
      readSigningKeys(embedded(), "make"),
      // If two processes create keys at the same time, the keys of the first are used.
      readSigningKeys(embedded(), "make"),
    ]);
    const again = await readSigningKeys(embedded(), "refuse");
    const fragments = keys?.own.all.map(({ fragment }) => fragment);
    expect(fragments).toHaveLength(2);
    expect(others?.own.all.map(({ fragment }) => fragment)).toEqual(fragments);
    expect(again?.own.all.map(({ fragment }) => fragment)).toEqual(fragments);
    const stored = join(directory, "signing-keys");
    expect((await readdir(stored)).sort()).toEqual(["ed25519.pem", "p-256.pem"]);
    for (const name of await readdir(stored))
      expect((await stat(join(stored, name))).mode & 0o777).toBe(0o600);
    expect((await stat(stored)).mode & 0o777).toBe(0o700);
  });

  test("only a service generates them", async () => {
    expect(await readSigningKeys(embedded(), "refuse")).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  test("a damaged one is not replaced", async () => {
    await readSigningKeys(embedded(), "make");
    const path = join(directory, "signing-keys", "ed25519.pem");
    await writeFile(path, "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n");
    const refused = readSigningKeys(embedded(), "make");
    await expect(refused).rejects.toMatchObject({
      kind: "failed-precondition",
      message: expect.stringContaining(path),
    });
    await expect(refused).rejects.not.toThrow(/secret/);
    expect(await readFile(path, "utf8")).toContain("secret");
  });
});

describe("keys from the settings", () => {
  test("sign in their order, with the first of each kind", async () => {
    const files = [await writeSigningKeys(directory, "new"), await writeSigningKeys(directory, "old")].join(
      ",",
    );
    const keys = await readSigningKeys(named(files), "refuse");
    expect(keys?.own.all.map(({ algorithm }) => algorithm)).toEqual(["Ed25519", "P-256", "Ed25519", "P-256"]);
    expect([keys?.own.ed25519, keys?.own.p256]).toEqual(keys?.own.all.slice(0, 2));
  });

  test.each([
    ["of another kind", generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, /kind rsa/],
    ["of another curve", generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey, /kind secp384r1/],
    ["that needs a passphrase", undefined, /no unencrypted private key/],
  ])("one %s is refused by name", async (_what, key, problem) => {
    const locked = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" } as const;
    const pem = key
      ? key.export({ type: "pkcs8", format: "pem" })
      : generateKeyPairSync("ed25519").privateKey.export(locked);
    const path = join(directory, "key.pem");
    await writeFile(path, pem);
    const refused = readSigningKeys(named(path), "refuse");
    await expect(refused).rejects.toThrow(problem);
    await expect(refused).rejects.toThrow(path);
  });

  test("a missing or too large one is refused by name", async () => {
    const path = join(directory, "key.pem");
    await expect(readSigningKeys(named(path), "refuse")).rejects.toThrow(
      /key\.pem \(named in [A-Z_]+\): ENOENT/,
    );
    await writeFile(path, "x".repeat(20_000));
    await expect(readSigningKeys(named(path), "refuse")).rejects.toThrow(/20000 bytes/);
  });

  test("without one of Ed25519 are refused", async () => {
    const path = join(directory, "key.pem");
    await writeFile(path, newSigningKey("P-256"));
    await expect(readSigningKeys(named(path), "refuse")).rejects.toThrow(/none of these is an Ed25519 key/);
  });
});

test("a key that no longer signs stays published", async () => {
  const published = async ({ httpUrl }: TestService): Promise<string[]> => {
    const answer = await fetch(`${httpUrl}/.well-known/did.json`);
    return ((await answer.json()) as { assertionMethod: string[] }).assertionMethod;
  };
  const first = await startTestService({ signs: true });
  try {
    const [old] = await published(first);
    const SIGNING_KEY_FILES = await writeSigningKeys(directory, "new");
    const second = await startTestService({ beside: first, settings: { SIGNING_KEY_FILES } });
    try {
      expect(await published(second)).toHaveLength(4);
      expect(await published(second)).toContain(old);
      expect(await published(first)).toEqual(await published(second));
    } finally {
      await second.stop();
    }
  } finally {
    await first.stop();
  }
});
