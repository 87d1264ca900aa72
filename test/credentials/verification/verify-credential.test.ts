import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import {
  CredentialService,
  CredentialVerdict,
  VerifiableCredentialFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { changedLeaves } from "../../badges/leaves.js";
import { type Academy, givenAcademy, openAcademy } from "../../support/academy.js";
import { threadMs } from "../../support/processor-time.js";
import { startTestService, tokenOf } from "../../support/service.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>';

const academy = givenAcademy({ signs: true, settings: { PLATFORM_NAME: "Harbour Light" } });
let anybody: Academy["credentials"];
beforeAll(async () => {
  anybody = academy.service.client(CredentialService);
});

/** Issues a credential, and returns it with all its files. */
async function issued(username: string) {
  const { uuid, verifyUuid } = await academy.issued(username);
  const [path = ""] = await academy.filesOf(uuid);
  const badge = async (format: Format) =>
    Buffer.from((await academy.credentials.getVerifiableCredential({ uuid, format })).content);
  const json = await badge(Format.JSON);
  const files = {
    pdf: await readFile(path),
    json,
    jwt: await badge(Format.JWT),
    png: bakePng(PNG, json.toString()),
    svg: Buffer.from(bakeSvg(SVG, json.toString())),
  };
  return { uuid, verifyUuid, files };
}

const of = (file: Uint8Array) => ({ subject: { case: "file" as const, value: file } });
const ofDigest = (digest: string) => ({ subject: { case: "fileSha256" as const, value: digest } });
const sha256 = (file: Uint8Array) => createHash("sha256").update(file).digest("hex");
const verdictOn = async (file: Uint8Array) => (await anybody.verifyCredential(of(file))).verdict;

/** Returns the expected verdict on an unchanged file. For a picture, the verdict is only about the embedded badge. */
function verdictOf(kind: string, status: "GENUINE" | "WITHDRAWN" | "EXPIRED"): CredentialVerdict {
  const isPicture = kind === "png" || kind === "svg";
  return CredentialVerdict[isPicture ? (`BADGE_${status}` as const) : status];
}

/** Builds another issuer's PDF with a file embedded in it. */
function pdfWith(content: string, options: { isDeflated?: boolean; hasLength?: boolean } = {}): Buffer {
  const { isDeflated = true, hasLength = true } = options;
  const data = isDeflated ? deflateSync(content) : Buffer.from(content);
  const length = hasLength ? `/Length ${data.length}` : "/Length 9 0 R";
  const filter = isDeflated ? "/Filter /FlateDecode" : "";
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile ${filter} ${length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream\nendobj\n%%EOF\n"),
  ]);
}

describe("a valid credential", () => {
  let credential: Awaited<ReturnType<typeof issued>>;
  beforeAll(async () => {
    credential = await issued("ana");
  });

  test.each(["pdf", "json", "jwt", "png", "svg"] as const)(
    "is genuine as %s, or the badge in it is, with what is public of it",
    async (kind) => {
      const { verifyUuid, files } = credential;
      const answer = await anybody.verifyCredential(of(files[kind]));
      expect(answer).toMatchObject({
        verdict: verdictOf(kind, "GENUINE"),
        verifyUuid,
        credential: await anybody.getCredentialMetadata({ verifyUuid }),
        credentialType: "Certificate",
        issuer: "Harbour Light",
      });
      expect(answer.importTime).toBeUndefined();
    },
  );

  test("is recognised by the SHA-256 of its PDF alone, in either case", async () => {
    const digest = sha256(credential.files.pdf);
    for (const given of [digest, digest.toUpperCase()]) {
      const { verdict, verifyUuid } = await anybody.verifyCredential(ofDigest(given));
      expect([verdict, verifyUuid]).toEqual([CredentialVerdict.GENUINE, credential.verifyUuid]);
    }
    expect((await anybody.verifyCredential(ofDigest(sha256(PNG)))).verdict).toBe(CredentialVerdict.UNKNOWN);
  });

  /** For each kind of file, returns copies in which one value is changed, each with the path of this value. */
  const forgeries: Record<Exclude<keyof typeof credential.files, "pdf">, () => [string, Buffer][]> = {
    json: () => changedBadges((badge) => badge),
    png: () => changedBadges((badge) => bakePng(PNG, badge.toString())),
    svg: () => changedBadges((badge) => Buffer.from(bakeSvg(SVG, badge.toString()))),
    jwt() {
      const parts = credential.files.jwt.toString().split(".");
      return [0, 1].flatMap((at) =>
        changedLeaves(JSON.parse(Buffer.from(parts[at] ?? "", "base64url").toString())).map(
          ([path, changed]): [string, Buffer] => {
            const forged = Buffer.from(JSON.stringify(changed)).toString("base64url");
            return [`${at} ${path}`, Buffer.from(parts.with(at, forged).join("."))];
          },
        ),
      );
    },
  };

  function changedBadges(inFile: (badge: Buffer) => Buffer): [string, Buffer][] {
    const badge = JSON.parse(credential.files.json.toString());
    return changedLeaves(badge).map(([path, changed]) => [
      path,
      inFile(Buffer.from(JSON.stringify(changed))),
    ]);
  }

  test.each(["json", "jwt", "png", "svg"] as const)(
    "is not genuine as %s if any single value is changed",
    async (kind) => {
      const forged = forgeries[kind]();
      expect(forged.length).toBeGreaterThan(30);
      const accepted: string[] = [];
      for (const [path, file] of forged) {
        const verdict = await verdictOn(file);
        if (verdict !== CredentialVerdict.ALTERED && verdict !== CredentialVerdict.UNKNOWN)
          accepted.push(path);
      }
      expect(accepted).toEqual([]);
    },
  );

  test("is not genuine as PDF if any single byte is changed", async () => {
    const { pdf } = credential.files;
    const place = fc.tuple(fc.nat(pdf.length - 1), fc.integer({ min: 1, max: 255 }));
    const changed = fc.asyncProperty(place, async ([at, by]) => {
      const forged = Buffer.from(pdf);
      forged[at] = (forged[at] ?? 0) ^ by;
      const verdict = await verdictOn(forged);
      expect([CredentialVerdict.ALTERED, CredentialVerdict.UNKNOWN]).toContain(verdict);
    });
    await fc.assert(changed, { numRuns: 60 * Number(process.env.FUZZ_RUNS ?? 1) });
  });

  test("names the credential that an altered badge claims to be", async () => {
    const badge = JSON.parse(credential.files.json.toString());
    badge.name = "Doctor of Everything";
    expect(await anybody.verifyCredential(of(Buffer.from(JSON.stringify(badge))))).toMatchObject({
      verdict: CredentialVerdict.ALTERED,
      verifyUuid: credential.verifyUuid,
      credential: { userFullName: "Learner ana" },
    });
  });

  test.each([
    ["packed", {}],
    ["as it stands", { isDeflated: false }],
    ["of a length that is told elsewhere", { hasLength: false }],
  ])("embedded in another PDF, %s, confirms nothing that the PDF shows", async (_how, options) => {
    const { verifyUuid, files } = credential;
    const pdf = pdfWith(files.json.toString(), options);
    expect(await anybody.verifyCredential(of(pdf))).toMatchObject({
      verdict: CredentialVerdict.ALTERED,
      verifyUuid,
    });
  });

  test("is not genuine as a JWT in any other spelling", async () => {
    const jwt = credential.files.jwt.toString();
    const [header = "", payload = "", signature = ""] = jwt.split(".");
    const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const at = last.indexOf(signature.at(-1) ?? "");
    const spellings = [
      `${jwt}=`,
      `${jwt}==`,
      `${header}=.${payload}.${signature}`,
      `${header}.${payload}=.${signature}`,
      `${header}.${payload}\n.${signature}`,
      `${header}.${payload}.${signature.slice(0, 40)} ${signature.slice(40)}`,
      `${jwt.slice(0, -1)}${last[at ^ 1]}`, // the same 64 bytes, because four bits of the last character are unused
      `${header}.${payload}.${signature.replaceAll("-", "+").replaceAll("_", "/")}`,
    ].filter((each) => each !== jwt);
    expect(spellings.length).toBeGreaterThan(6);
    for (const spelling of spellings)
      expect([spelling, await verdictOn(Buffer.from(spelling))]).toEqual([
        spelling,
        CredentialVerdict.UNKNOWN,
      ]);
  });

  test("does not match a PDF with one more byte, or one without a badge", async () => {
    const { pdf } = credential.files;
    const verdict = await verdictOn(Buffer.concat([pdf, Buffer.from("\n")]));
    expect([CredentialVerdict.ALTERED, CredentialVerdict.UNKNOWN]).toContain(verdict);
    expect(await verdictOn(pdfWith("{}"))).toBe(CredentialVerdict.UNKNOWN);
  });
});

test("an invalidated credential is withdrawn in every form, with the reason, and its successor is genuine", async () => {
  const { uuid, files } = await issued("ben");
  const { uuid: next } = await academy.credentials.reissueCredential({ uuid, reason: "Misspelt." });
  for (const [kind, file] of Object.entries(files)) {
    expect(await anybody.verifyCredential(of(file))).toMatchObject({
      verdict: verdictOf(kind, "WITHDRAWN"),
      credential: { invalidationReason: "Misspelt." },
    });
  }
  await academy.generate(next);
  const [path = ""] = await academy.filesOf(next);
  expect(await verdictOn(await readFile(path))).toBe(CredentialVerdict.GENUINE);
});

test("a credential after its last day has expired in every form, and one that was also withdrawn is withdrawn", async () => {
  const { uuid, files } = await issued("cy");
  const expire = "update credentials set valid_until = now() - interval '1 hour' where uuid = ?";
  await academy.service.app.database.knex.raw(expire, [uuid]);
  for (const [kind, file] of Object.entries(files)) {
    expect(await anybody.verifyCredential(of(file))).toMatchObject({
      verdict: verdictOf(kind, "EXPIRED"),
      credential: { invalidationReason: expect.stringMatching(/^Expired on /) },
    });
  }
  await academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
  for (const [kind, file] of Object.entries(files))
    expect(await verdictOn(file)).toBe(verdictOf(kind, "WITHDRAWN"));
});

describe("a PDF that embeds far more than a badge", () => {
  const bomb = deflateSync(Buffer.alloc(256 * 1024, "{"));
  const embedded = (data: Buffer, ends: number) =>
    Buffer.concat([
      Buffer.from("1 0 obj <</Type /EmbeddedFile /Filter /FlateDecode>> stream\n"),
      data,
      Buffer.from(`\n${"endstream ".repeat(ends)}endobj\n`),
    ]);
  const filled = (file: Buffer) =>
    Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      ...Array<Buffer>(Math.floor((4 * 1024 * 1024 - 9) / file.length)).fill(file),
    ]);

  test.each([
    ["thousands of files that decompress to much", filled(embedded(bomb, 1))],
    ["files of many possible ends", filled(embedded(bomb, 1000))],
    ["files that are no streams", filled(Buffer.from("1 0 obj /EmbeddedFile endobj "))],
  ])("%s is refused after a few of them", async (_what, pdf) => {
    expect(() => unbakePdf(pdf)).toThrow(/too many embedded files/);
    expect(await verdictOn(pdf)).toBe(CredentialVerdict.UNKNOWN);
  });

  test("the badge is found behind a few other files", async () => {
    const pdf = Buffer.concat([
      ...Array<Buffer>(5).fill(embedded(bomb, 1)),
      pdfWith((await issued("dee")).files.json.toString()),
    ]);
    expect(await verdictOn(Buffer.concat([Buffer.from("%PDF-1.7\n"), pdf]))).toBe(CredentialVerdict.ALTERED);
  });
});

test("badges of an erased learner are genuine, without a name", async () => {
  const { files } = await issued("eli");
  const platform = academy.service.client(
    LearnerRecordService,
    await tokenOf({ username: "lms", service: "write" }),
  );
  await platform.eraseLearner({ username: "eli" });
  expect(await anybody.verifyCredential(of(files.json))).toMatchObject({
    verdict: CredentialVerdict.GENUINE,
    credential: { userFullName: "" },
  });
  expect(await verdictOn(files.pdf)).not.toBe(CredentialVerdict.GENUINE);
});

test("a badge signed by another issuer is not known, even if it names a credential of this service", async () => {
  const { files } = await issued("oda");
  const other = await openAcademy({ signs: true, settings: { PUBLIC_URL: "https://other.test" } });
  try {
    const elsewhere = other.service.client(CredentialService);
    for (const file of [files.json, files.jwt, files.pdf]) {
      const { verdict, verifyUuid } = await elsewhere.verifyCredential(of(file));
      expect([verdict, verifyUuid]).toEqual([CredentialVerdict.UNKNOWN, ""]);
    }
  } finally {
    await other.service.stop();
  }
});

test("badges from before the service moved, or changed its keys, stay genuine", async () => {
  const { files } = await issued("mo");
  const moved = await startTestService({
    beside: academy.service,
    signs: true,
    settings: { PUBLIC_URL: "https://moved.test" },
  });
  try {
    const there = moved.client(CredentialService);
    for (const [kind, file] of Object.entries(files)) {
      expect((await there.verifyCredential(of(file))).verdict).toBe(verdictOf(kind, "GENUINE"));
    }
  } finally {
    await moved.stop();
  }
});

describe("files that are not from this service", () => {
  test.each([
    ["a word", "hello"],
    ["JSON", '{"type":["OpenBadgeCredential"]}'],
    ["null", "null"],
    ["a list", "[[[[[]]]]]"],
    ["a badge without a signature", '{"type":["OpenBadgeCredential"],"issuer":"did:web:credentials.test"}'],
    ["a JWT of somebody", "eyJhbGciOiJub25lIn0.e30."],
    ["an SVG without a badge", SVG],
    ["a page", "<html></html>"],
    ["a PDF", "%PDF-1.7"],
    ["a PDF that lies about lengths", "%PDF-1.7 obj << /Type /EmbeddedFile /Length 999999999 >> stream\nx"],
    ["a PDF full of attachments", `%PDF-1.7 ${"obj /Type /EmbeddedFile stream\n".repeat(20_000)}`],
    ["bytes", "\u0000\u0001\u0002"],
    ["the end of a PNG", "\u0089PNG"],
  ])("%s is not genuine", async (_what, text) => {
    const verdict = await verdictOn(Buffer.from(text, "latin1"));
    expect(verdict).not.toBe(CredentialVerdict.GENUINE);
    expect(verdict).toBe(
      text.includes("did:web:credentials.test") ? CredentialVerdict.ALTERED : CredentialVerdict.UNKNOWN,
    );
  });

  test("a PDF whose attachment decompresses to a gigabyte is not decompressed", async () => {
    expect(await verdictOn(pdfWith(" ".repeat(64 * 1024 * 1024)))).toBe(CredentialVerdict.UNKNOWN);
  });

  test.each([
    ["nothing", {}, /Neither file nor file_sha256/],
    ["an empty file", of(new Uint8Array()), /file is empty/],
    ["no digest", ofDigest("x"), /64 hexadecimal digits/],
  ])("%s is refused", async (_what, request, message) => {
    await expect(anybody.verifyCredential(request)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringMatching(message),
    });
  });

  test("more than 4 MiB is refused", async () => {
    await expect(anybody.verifyCredential(of(new Uint8Array(4.1 * 1024 * 1024)))).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
  });
});

test("a SHA-256 uses one unit of the public rate limit, a file ten", async () => {
  const limited = await startTestService({
    beside: academy.service,
    signs: true,
    settings: { PUBLIC_RATE_LIMIT: "12" },
  });
  try {
    const client = limited.client(CredentialService);
    await client.verifyCredential(ofDigest(sha256(PNG)));
    await client.verifyCredential(of(PNG));
    await client.verifyCredential(ofDigest(sha256(PNG)));
    await expect(client.verifyCredential(ofDigest(sha256(PNG)))).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
  } finally {
    await limited.stop();
  }
});

test.skipIf(process.platform !== "linux")(
  "files are judged beside the thread that answers calls",
  async () => {
    const pdf = Buffer.concat([
      Buffer.from("%PDF-1.7\n1 0 obj <</Type /EmbeddedFile /Filter /FlateDecode>> stream\n"),
      deflateSync(Buffer.alloc(256 * 1024, "{")),
      Buffer.from(`\n${"endstream ".repeat(20)}endobj\n`), // any of these may end the stream
    ]);
    /**
     * Returns the processor time for doing the work 20 times. It is measured in this thread, which also handles the
     * calls. Returns the minimum of three rounds, because some rounds include the garbage collection of other tests.
     */
    async function costOf(work: () => unknown): Promise<number> {
      const rounds: number[] = [];
      for (let round = 0; round < 3; round++) {
        const before = threadMs();
        for (let times = 0; times < 20; times++) {
          await work();
          await setImmediate(); // lets the thread keep its connections alive
        }
        rounds.push(threadMs() - before);
      }
      return Math.min(...rounds);
    }
    const judging = await costOf(() => unbakePdf(pdf));
    /** Returns the verdict. Retries like clients if the reused connection was just being closed. */
    const verdict = (file: Uint8Array) => verdictOn(file).catch(() => verdictOn(file));
    await expect.poll(() => verdict(pdf)).toBe(CredentialVerdict.UNKNOWN); // this also starts the thread
    const answering = await costOf(() => verdict(Buffer.from("%PDF-1.7")));
    expect((await costOf(() => verdict(pdf))) - answering).toBeLessThan(judging / 2);
    expect(await verdict(pdf)).toBe(CredentialVerdict.UNKNOWN);
  },
);
