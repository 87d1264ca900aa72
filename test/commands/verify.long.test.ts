import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { pngPicture } from "#formats/badges/badge-picture.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { didKey, keyUrl } from "#formats/badges/did-document.js";
import { learnerRecord } from "#formats/badges/learner-record.js";
import { openBadge } from "#formats/badges/open-badge.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";
import { ed25519 } from "../badges/keys.js";
import { facts } from "../badges/sample.js";
import type { IssuedFiles } from "../credentials/issued-files.js";
import { givenDirectory } from "../support/directory.js";
import { type HttpsIssuer, openHttpsIssuer } from "./https-issuer.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 120_000 });

let issuer: HttpsIssuer;
let files: IssuedFiles;
let uuid: string;
const directory = givenDirectory("verify");
beforeAll(async () => {
  issuer = await openHttpsIssuer();
  ({ files, uuid } = await issuer.issue("ana"));
});
afterAll(() => issuer?.stop());

/** Verifies a file without settings. */
async function verify(name: string, content: string | Uint8Array, ...options: string[]) {
  const path = join(directory, name);
  await writeFile(path, content);
  return issuer.verify(path, ...options);
}

describe("the holder and issuer that are expected", () => {
  it("are compared with those in the badge", async () => {
    const expected = ["--holder", " learner  ANA", "--issuer", issuer.did];
    expect(await verify("ana.pdf", files.pdf, ...expected)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /holder: {2}Learner ana\n.*\nverdict: valid: this file is exactly as its issuer/,
      ),
      err: "",
    });
    expect(await verify("ana.jwt", files.jwt, ...expected)).toMatchObject({ code: 0, err: "" });
    expect(await verify("ana.png", files.png, "--badge-only", ...expected)).toMatchObject({
      code: 0,
      err: "",
    });
  });

  it("make a genuine file fail if they differ, and both values are printed", async () => {
    expect(await verify("ana.pdf", files.pdf, "--holder", "Eve Mallory")).toMatchObject({
      code: 1,
      err: "verdict: not valid\nIts holder is Learner ana, not Eve Mallory.\n",
    });
    const other = await verify("ana.png", files.png, "--badge-only", "--issuer", "did:web:other.example");
    expect(other).toMatchObject({
      code: 1,
      err: `verdict: not valid\nIts issuer is ${issuer.did}, not did:web:other.example.\n`,
    });
  });
});

describe("a record that a stranger has assembled from genuine badges", () => {
  const stranger = didKey(ed25519);
  async function recordOf(names: string[]): Promise<string> {
    const record = learnerRecord({
      id: "urn:uuid:00000000-0000-4000-8000-00000000000f",
      issuer: { ...facts.issuer, did: stranger, name: "Academy" },
      validFrom: new Date(Date.now() - 60_000),
      validUntil: new Date(Date.now() + 86_400_000),
      names,
      isPartial: false,
      badges: [JSON.parse(files.json.toString())],
    });
    const verificationMethod = keyUrl(stranger, ed25519);
    const signed = await signDocument(record, {
      key: ed25519,
      verificationMethod,
      created: record.validFrom,
    });
    return asciiJson(signed);
  }

  it("is valid for the holders of its badges only, whatever names it contains", async () => {
    const both = await recordOf(["Eve Other", "Learner ana"]);
    const anyone = await verify("both.json", both);
    expect(anyone).toMatchObject({ code: 0, err: "" });
    expect(anyone.out).toContain("holder:  Eve Other\n         Learner ana\n");
    expect(anyone.out).toMatch(/^ {2}valid {8}Learner ana: /m);
    expect(anyone.out).toContain(
      "That Eve Other and Learner ana are one person is stated by the record's issuer only",
    );
    expect(await verify("both.json", both, "--holder", "Eve Other")).toMatchObject({
      code: 1,
      err: "verdict: not valid\nIts holder is Learner ana, not Eve Other.\n",
    });
    expect(await verify("both.json", both, "--holder", "learner ANA")).toMatchObject({ code: 0 });
    const names = ["--holder", "Learner ana", "--holder", "Eve Other"];
    expect(await verify("both.json", both, ...names)).toMatchObject({ code: 0 });
    expect(await verify("both.json", both, "--issuer", issuer.did)).toMatchObject({ code: 1 });
  });

  it("is not valid if it does not name them", async () => {
    const eve = await recordOf(["Eve Other"]);
    for (const options of [[], ["--holder", "Eve Other"]])
      expect(await verify("eve.json", eve, ...options)).toMatchObject({
        code: 1,
        err: expect.stringContaining("The record does not name the badge's holder."),
      });
  });

  it("with a single name makes no statement about names", async () => {
    const own = await verify("ana.json", await recordOf(["Learner ana"]));
    expect(own).toMatchObject({ code: 0 });
    expect(own.out).not.toContain("one person");
  });
});

it("a badge without a status list is valid, and its revocation is not mentioned", async () => {
  const did = didKey(ed25519);
  const { credentialStatus: _, ...badge } = openBadge({ ...facts, issuer: { ...facts.issuer, did } });
  const by = { key: ed25519, verificationMethod: keyUrl(did, ed25519), created: badge.validFrom };
  expect(await verify("no-status.json", asciiJson(await signDocument(badge, by)))).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      "verdict: valid: signed by its issuer, which doesn't name a status list, so revocation was not checked\n",
    ),
  });
});

it.each(["png", "svg"] as const)("a %s with two different badges is not judged", async (kind) => {
  const { files: other } = await issuer.issue(`two-${kind}`);
  const two =
    kind === "png"
      ? Buffer.concat([files.png.subarray(0, 33), badgeChunkOf(other.png), files.png.subarray(33)])
      : files.svg
          .toString()
          .replace("<openbadges:credential", `<openbadges:credential verify="${other.jwt}"/>$&`);
  expect(await verify(`two.${kind}`, two)).toMatchObject({
    code: 2,
    err: expect.stringContaining("the picture contains several different badges"),
  });
});

/** Returns the chunk with the badge. It follows the header of 33 bytes. */
function badgeChunkOf(png: Buffer): Buffer {
  return png.subarray(33, 33 + 12 + png.readUInt32BE(33));
}

it("a PDF is withdrawn as soon as its issuer has withdrawn it", async () => {
  const { files: later, uuid: withdrawn } = await issuer.issue("ben");
  expect(await verify("ben.pdf", later.pdf)).toMatchObject({ code: 0 });
  await issuer.academy.credentials.invalidateCredential({ uuid: withdrawn, reason: "Misspelt." });
  expect(await verify("ben.pdf", later.pdf)).toMatchObject({
    code: 1,
    err: "verdict: not valid\nThe issuer has revoked the badge.\n",
  });
});

it("a file that can't be checked ends the command with 2", async () => {
  const cases: [string, string | Uint8Array, string[], RegExp][] = [
    ["a.pdf", "%PDF-1.7", [], /neither an Open Badge 3.0 nor/],
    ["a.txt", "hello", [], /neither an Open Badge 3.0 nor/],
    ["a.jwt", `${files.jwt}=`, [], /neither an Open Badge 3.0 nor/],
    ["b.pdf", "%PDF-1.7 /Encrypt ", [], /the PDF is encrypted/],
    ["a.json", files.json, ["--no-such-option"], /unknown option/],
  ];
  for (const [name, content, options, message] of cases) {
    expect([name, await verify(name, content, ...options)]).toMatchObject([
      name,
      { code: 2, err: expect.stringMatching(message) },
    ]);
  }
  expect(await issuer.verify(join(directory, "missing.pdf"))).toMatchObject({ code: 2 });
});

it("the help lists the exit codes and the compared values", async () => {
  const { code, out } = await issuer.verify("--help");
  expect(code).toBe(0);
  for (const reported of [
    "Exit code: 0",
    "--badge-only",
    "--holder <name>",
    "--issuer <did>",
    "only its SHA-256",
  ])
    expect(out).toContain(reported);
});

describe("the service that is queried about a PDF", () => {
  /** A server of another issuer, which returns the given responses for its status list. */
  let server: Server;
  let base: string;
  let received: string[];
  let answer: { status: number; body: string; location?: string };
  beforeAll(async () => {
    server = createServer(async (request: IncomingMessage, response) => {
      received.push(`${request.method} ${request.url} ${await text(request)}`);
      if (request.url === "/a/status/3") return response.end(JSON.stringify(await list()));
      response
        .writeHead(answer.status, answer.location ? { location: answer.location } : {})
        .end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server?.close());

  const did = didKey(ed25519);
  const listUrl = () => `${base}/a/status/3`;
  const list = () => {
    const now = Date.now();
    const unsigned = statusListCredential({
      url: listUrl(),
      issuer: did,
      bits: statusBits([]),
      validFrom: new Date(now - 3_600_000),
      validUntil: new Date(now + 3_600_000),
      maxAge: 10,
    });
    return signDocument(unsigned, {
      key: ed25519,
      verificationMethod: keyUrl(did, ed25519),
      created: unsigned.validFrom,
    });
  };
  async function pdfOf(changed: (badge: string) => string = (badge) => badge): Promise<Buffer> {
    const unsigned = openBadge({
      ...facts,
      issuer: { ...facts.issuer, did },
      status: { ...facts.status, listUrl: listUrl() },
    });
    const badge = await signDocument(unsigned, {
      key: ed25519,
      verificationMethod: keyUrl(did, ed25519),
      created: unsigned.validFrom,
    });
    const json = changed(asciiJson(badge));
    return Buffer.from(
      `%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Length ${json.length} >>\nstream\n${json}\nendstream\nendobj\n`,
    );
  }
  async function verified(given: typeof answer, pdf?: Buffer) {
    received = [];
    answer = given;
    return verify("other.pdf", pdf ?? (await pdfOf()));
  }
  const says = (verdict: string, verifyUuid: string = facts.verifyUuid) => ({
    status: 200,
    body: JSON.stringify({ verdict: `CREDENTIAL_VERDICT_${verdict}`, verifyUuid }),
  });

  it("is the one whose list its issuer has signed, and receives only a SHA-256", async () => {
    expect(await verified(says("GENUINE"))).toMatchObject({ code: 0, err: "" });
    expect(received).toEqual([
      "GET /a/status/3 ",
      expect.stringMatching(
        /^POST \/a\/learning_credentials\.v1\.CredentialService\/VerifyCredential \{"fileSha256":"[\da-f]{64}"\}$/,
      ),
    ]);
  });

  it("isn't one that the creator of the file has chosen", async () => {
    const forged = await pdfOf((badge) => badge.replace("Ana", "Eva"));
    expect(await verified(says("GENUINE"), forged)).toMatchObject({
      code: 1,
      err: "verdict: not valid\nThe badge has changed since its issuer signed it.\n",
    });
    expect(received).toEqual([]);
  });

  it.each([
    ["does not know the file", says("UNKNOWN", ""), 1, /has no record of this file/],
    ["has withdrawn it", says("WITHDRAWN"), 1, /has withdrawn the credential/],
    ["says that it has expired", says("EXPIRED"), 1, /has expired/],
    [
      "knows it as another credential's",
      says("GENUINE", "11111111-1111-4111-8111-111111111111"),
      1,
      /for a different credential from the one in its badge/,
    ],
    [
      "has no such method",
      { status: 404, body: "" },
      2,
      /only the badge in it is valid\n[\s\S]*responded with status 404[\s\S]*not protected/,
    ],
    ["leads elsewhere", { status: 307, body: "", location: "http://127.0.0.1:1/" }, 2, /can't be reached/],
    ["answers with something else", { status: 200, body: "[]" }, 2, /returned no verdict/],
    ["answers with a verdict that is not known here", says("SOME"), 2, /returned no verdict/],
    ["answers without end", { status: 200, body: " ".repeat(1_100_000) }, 2, /more than 1048576 bytes/],
  ])("%s", async (_what, given, code, message) => {
    expect(await verified(given)).toMatchObject({ code, err: expect.stringMatching(message) });
    expect(received).toHaveLength(2);
  });

  it("is not queried about a picture, or if only the badge is to be checked", async () => {
    received = [];
    const badge = /\{"@context".*\}/.exec((await pdfOf()).toString())?.[0] ?? "";
    expect(await verify("other.png", bakePng(pngPicture(), badge))).toMatchObject({ code: 2 });
    expect(await verify("other.pdf", await pdfOf(), "--badge-only")).toMatchObject({ code: 0 });
    expect(received).toEqual(["GET /a/status/3 ", "GET /a/status/3 "]);
  });
});

it("while its issuer can't be reached, a badge can't be verified, which differs from being invalid", async () => {
  expect(uuid).not.toBe("");
  await issuer.goOffline();
  for (const [kind, file] of Object.entries(files)) {
    for (const options of [[], ["--badge-only"]])
      expect([kind, await verify(`ana.${kind}`, file, ...options)]).toMatchObject([
        kind,
        {
          code: 2,
          err: expect.stringMatching(/^verdict: could not be verified\nThe issuer's keys can't/),
        },
      ]);
  }
});
