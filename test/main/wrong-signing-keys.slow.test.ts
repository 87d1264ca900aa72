import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { ended, startOn } from "../commands/run-command.js";
import { givenDatabase } from "../support/database.js";
import { givenDirectory } from "../support/directory.js";

const db = givenDatabase();
const directory = givenDirectory("wrong-keys");
const fileIn = (name: string) => join(directory, name);

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(fileIn("rsa.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(fileIn("ed25519.pem"), newSigningKey("Ed25519"));
  await writeFile(fileIn("p-256.pem"), newSigningKey("P-256"));
  await writeFile(fileIn("hello"), "hello\n");
});

const PLUG_IN = "academy.signers.folder:key";
const NO_PLUG_IN =
  /academy\.signers\.folder, which no plug-in provides: add its module to LEARNING_CREDENTIALS_PLUGINS/;

test.each<[string, Record<string, string>, RegExp]>([
  [
    "an RSA key for the log",
    { LOG_KEY_FILE: "rsa.pem" },
    /rsa\.pem \(named in LOG_KEY_FILE, which takes an Ed25519 key\): /,
  ],
  [
    "a P-256 key for the log",
    { LOG_KEY_FILE: "p-256.pem" },
    /LOG_KEY_FILE: .*p-256\.pem contains a P-256 key; an Ed25519 key is required/,
  ],
  [
    "a policy of the log that is none",
    { LOG_KEY_FILE: "ed25519.pem", LOG_POLICY_FILE: "hello" },
    /LOG_POLICY_FILE: \S*hello line 1 is not a valid log, witness, group or quorum line/,
  ],
  ["a key of a plug-in that is not loaded", { SIGNING_KEY_FILES: PLUG_IN }, NO_PLUG_IN],
  ["such a key of the log", { LOG_KEY_FILE: PLUG_IN }, NO_PLUG_IN],
])("%s stops the start of serve and worker, with the setting's name", async (_, settings, expected) => {
  const given = Object.entries(settings).map(([name, value]) => [
    name,
    value === PLUG_IN ? value : fileIn(value),
  ]);
  for (const command of ["serve", "worker"]) {
    const place = { DATABASE_URL: db.url, DATA_DIR: directory };
    const { code, err } = await ended(startOn({ ...place, ...Object.fromEntries(given) }, [command]));
    expect([code, err]).toEqual([1, expect.stringMatching(expected)]);
    expect(err).not.toContain("defect");
  }
});
