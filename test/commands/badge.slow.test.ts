import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Academy, openAcademy } from "../support/academy.js";
import { freePort } from "../support/free-port.js";
import { type Ended, ended, startOn } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 120_000 });

let academy: Academy;
let directory: string;
let uuid: string;
beforeAll(async () => {
  const httpPort = await freePort();
  // No service runs at this address, so nobody can fetch the issuer's keys from it. In these badges, the issuer is
  // identified by its key.
  const settings = { HTTP_PORT: String(httpPort), PUBLIC_URL: `http://127.0.0.1:${httpPort}` };
  academy = await openAcademy({ signs: true, settings });
  directory = academy.service.app.config.dataDir;
  await academy.enrol("ana", "ivo");
  uuid = await issued("ana");
});
afterAll(() => academy.service.stop());

async function issued(username: string): Promise<string> {
  const issuing = await academy.issue(username);
  await academy.generate(issuing.uuid);
  return issuing.uuid;
}

function run(...args: string[]): Promise<Ended> {
  const { config, database } = academy.service.app;
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: config.dataDir,
    PUBLIC_URL: config.publicUrl ?? "",
    SIGNING_KEY_FILES: config.signingKeyFiles.join(","),
  };
  return ended(startOn(settings, args));
}

it("writes a badge that verifies, until it is revoked", async () => {
  const path = join(directory, "ana.json");
  const id = await issued("ivo");
  expect(await run("badge", id, "-o", path)).toMatchObject({ code: 0, out: `${path}\n` });
  const { content } = await academy.credentials.getVerifiableCredential({ uuid: id });
  expect(await readFile(path, "utf8")).toBe(Buffer.from(content).toString());

  const { issuer } = JSON.parse(await readFile(path, "utf8"));
  const said = [
    "badge:   Certificate: Course One",
    "holder:  Learner ivo",
    `issuer:  Learning Credentials, ${issuer.id}`,
  ];
  const valid = [...said, "verdict: valid: signed by its issuer, and not revoked", ""];
  expect(await run("verify", path)).toEqual({ code: 0, out: valid.join("\n"), err: "" });

  await academy.credentials.invalidateCredential({ uuid: id, reason: "Issued in error." });
  const revoked = await run("verify", path);
  expect(revoked).toMatchObject({ code: 1, out: `${said.join("\n")}\n` });
  expect(revoked.err).toBe("verdict: not valid\nThe issuer has revoked the badge.\n");
  expect(await run("badge", id)).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("invalidated"),
  });
});

it("refuses an altered badge, and a file that is not a badge", async () => {
  const { out } = await run("badge", uuid);
  const path = join(directory, "changed.json");
  await writeFile(path, out.replace("Learner ana", "Learner eve"));
  expect(await run("verify", path)).toMatchObject({
    code: 1,
    out: expect.stringContaining("holder:  Learner eve"),
    err: "verdict: not valid\nThe badge has changed since its issuer signed it.\n",
  });
  await writeFile(path, "{}");
  expect(await run("verify", path)).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("neither an Open Badge 3.0 nor"),
  });
  const missing = await run("verify", join(directory, "missing.json"));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("can't be read") });
});

it("puts a badge into pictures, from which it verifies", async () => {
  const png = createCanvas(8, 8).toBuffer("image/png");
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle r="4"/></svg>';
  for (const [name, picture] of [
    ["star.png", png],
    ["star.svg", svg],
  ] as const) {
    await writeFile(join(directory, name), picture);
    const output = join(directory, `badge-${name}`);
    expect(await run("badge", uuid, "--picture", name, "-o", output)).toMatchObject({ code: 0 });
    expect(await run("verify", output)).toMatchObject({
      code: 2,
      out: expect.stringContaining("Learner ana"),
      err: expect.stringMatching(
        /^verdict: only the badge in it is valid\n[\s\S]*picture itself is not protected/,
      ),
    });
    expect(await run("verify", output, "--badge-only")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/verdict: the badge in it is valid[\s\S]*picture itself is not protected/),
    });
  }
  await writeFile(join(directory, "star.gif"), "GIF89a");
  expect(await run("badge", uuid, "--picture", "star.gif")).toMatchObject({
    code: 1,
    err: expect.stringContaining("star.gif: the picture is neither a PNG nor an SVG with content"),
  });
});

it("says what is missing", async () => {
  expect(await run("badge", "00000000-0000-4000-8000-000000000000")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Credential not found."),
  });
  const jwt = await run("badge", uuid, "--format", "jwt");
  expect(jwt).toMatchObject({ code: 1, err: expect.stringContaining("PUBLIC_URL") });
});
