import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { readCertificates } from "#formats/sealing/certificate.js";
import { createTimestamps, type Timestamps } from "#formats/sealing/timestamps.js";
import { given } from "../support/given.js";
import { type Authority, openAuthority, openTsa, type Tsa } from "./authority.js";

const execute = promisify(execFile);

const fixture = given<{ authority: Authority; tsa: Tsa; foreign: Tsa; stranger: Authority }>(
  async () => {
    const [authority, stranger] = await Promise.all([openAuthority(), openAuthority()]);
    const tsa = await openTsa(authority.directory, await authority.issueTsa("tsa"));
    const foreign = await openTsa(stranger.directory, await stranger.issueTsa("tsa"));
    return { authority, tsa, foreign, stranger };
  },
  async ({ authority, tsa, foreign, stranger }) => {
    await Promise.all([tsa.close(), foreign.close()]);
    await Promise.all([authority.remove(), stranger.remove()]);
  },
);

afterEach(() => {
  fixture.tsa.instead = undefined;
});

const SIGNATURE = Buffer.from("a signature");

async function timestampsOf(
  urls: string[],
  options: Partial<Parameters<typeof createTimestamps>[0]> = {},
): Promise<Timestamps> {
  const anchors = readCertificates(await readFile(fixture.authority.caFile, "utf8"));
  return createTimestamps({ urls, anchors, timeoutMs: 60_000, ...options });
}

const reply = (response: ServerResponse, answer: Buffer) =>
  void response.setHeader("content-type", "application/timestamp-reply").end(answer);

test("openssl's authority gives a timestamp for 10 requests, whatever their nonce", async () => {
  const timestamps = await timestampsOf([fixture.tsa.url]);
  const stamps = await Promise.all(Array.from({ length: 10 }, () => timestamps.of(SIGNATURE)));
  for (const { time, certificate } of stamps) {
    expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(60_000);
    expect(certificate.subjectName).toBe("Test TSA, Harbour Light Academy");
  }
});

/** Changes the bytes of a request before the authority answers it. */
const requested =
  (change: (request: Buffer) => void) => async (request: Buffer, response: ServerResponse) => {
    change(request);
    reply(response, await fixture.tsa.honest(request));
  };

test.each<[string, (request: Buffer, response: ServerResponse) => void | Promise<void>, string]>([
  ["is slow", () => {}, "did not respond within 0.2 s"],
  [
    "answers with a page",
    (_, response) => void response.setHeader("content-type", "text/html").end("<p>Hello"),
    "responded with status 200 and content type text/html",
  ],
  [
    "fails",
    (_, response) => void response.writeHead(500).end(),
    "responded with status 500 and no content type",
  ],
  [
    "leads elsewhere",
    (_, response) => void response.writeHead(302, { location: fixture.foreign.url }).end(),
    "can't be reached",
  ],
  [
    "answers with nothing",
    (_, response) => reply(response, Buffer.alloc(0)),
    "returned a response that is not encoded as DER requires",
  ],
  ["answers with too much", (_, response) => reply(response, Buffer.alloc(70_000)), "more than 65536 bytes"],
  [
    "refuses",
    (_, response) => reply(response, Buffer.from("30053003020102", "hex")),
    "returned a response that refuses the request (status 2)",
  ],
  [
    "grants nothing",
    (_, response) => reply(response, Buffer.from("30053003020100", "hex")),
    "returned a response that grants a timestamp but contains none",
  ],
  // The nonce is the penultimate element, before the flag that requests a certificate.
  [
    "answers another request",
    requested((request) => request.writeUInt8((request.at(-4) ?? 0) ^ 1, request.length - 4)),
    "returned a response that is for another request",
  ],
  [
    "stamps something else",
    requested((request) => request.writeUInt8((request[40] ?? 0) ^ 1, 40)),
    "returned a response that is for different content",
  ],
  [
    "is somebody else",
    async (request, response) => reply(response, await fixture.foreign.honest(request)),
    "does not chain to a certificate in TSA_CA_FILE",
  ],
  [
    "signs with another kind of certificate",
    async (request, response) => reply(response, (await byCertificate(request, undefined)).answer),
    "not only for timestamps",
  ],
])("an authority that %s gives no timestamp", async (_, instead, why) => {
  fixture.tsa.instead = instead;
  const isSlow = why.includes("did not respond");
  const timestamps = await timestampsOf([fixture.tsa.url], isSlow ? { timeoutMs: 200 } : {});
  await expect(timestamps.of(SIGNATURE)).rejects.toThrow(why);
});

const LEAF = "basicConstraints=critical,CA:FALSE";

test.each([
  [true, "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping"],
  [true, "keyUsage=nonRepudiation\nextendedKeyUsage=critical,timeStamping"],
  [true, "extendedKeyUsage=critical,timeStamping"],
  [false, "keyUsage=critical,digitalSignature\nextendedKeyUsage=timeStamping"],
  [false, "keyUsage=critical,keyEncipherment\nextendedKeyUsage=critical,timeStamping"],
  [false, "keyUsage=critical,digitalSignature,keyEncipherment\nextendedKeyUsage=critical,timeStamping"],
  [false, "keyUsage=critical,digitalSignature,decipherOnly\nextendedKeyUsage=critical,timeStamping"],
  [false, "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping,emailProtection"],
  [false, "keyUsage=critical,digitalSignature"],
])(
  "whether it is %s that a certificate is for timestamps is as openssl sees it: %s",
  async (isFor, extensions) => {
    let token = Buffer.alloc(0);
    fixture.tsa.instead = async (request, response) => {
      const made = await byCertificate(request, `${LEAF}\n${extensions}`);
      token = made.token;
      reply(response, made.answer);
    };
    const given = (await timestampsOf([fixture.tsa.url])).of(SIGNATURE);
    if (isFor) await given;
    else await expect(given).rejects.toThrow("not only for timestamps");
    const { directory, caFile } = fixture.authority;
    await writeFile(join(directory, "stamped"), SIGNATURE);
    await writeFile(join(directory, "taken"), token);
    const command = ["ts", "-verify", "-data", "stamped", "-token_in", "-in", "taken", "-CAfile", caFile];
    const byOpenssl = execute("openssl", command, { cwd: directory });
    expect(
      await byOpenssl.then(
        () => true,
        () => false,
      ),
    ).toBe(isFor);
  },
);

let made = 0;

/**
 * Signs the content of an honest token with another certificate of the same authority.
 * @param extensions the certificate's extensions. Undefined for those of a seal
 */
async function byCertificate(request: Buffer, extensions: string | undefined) {
  const { authority, tsa } = fixture;
  const at = (name: string) => join(authority.directory, name);
  const name = `signer-${made++}`;
  const { certFile, keyFile } = await authority.issue(name, "P-256", extensions ? { extensions } : {});
  await writeFile(at("honest"), await tsa.honest(request));
  for (const command of [
    "ts -reply -in honest -token_out -out token",
    "cms -verify -noverify -binary -inform DER -in token -out statement",
    "cms -sign -binary -nodetach -cades -md sha256 -econtent_type 1.2.840.113549.1.9.16.1.4" +
      ` -signer ${certFile} -inkey ${keyFile} -in statement -outform DER -out forged`,
  ])
    await execute("openssl", command.split(" "), { cwd: authority.directory });
  const token = await readFile(at("forged"));
  const content = Buffer.concat([Buffer.from("3003020100", "hex"), token]);
  const head = Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff]);
  return { token, answer: Buffer.concat([head, content]) };
}

test("the next authority replaces one that can't be reached, which is then left alone for a while", async () => {
  const { tsa } = fixture;
  const away = "http://127.0.0.1:9/tsa?key=secret";
  const answers: { url: string; isNew: boolean; failed: boolean }[] = [];
  const timestamps = await timestampsOf([away, tsa.url], {
    onAnswer: ({ url, isNew, error }) => void answers.push({ url, isNew, failed: error !== undefined }),
  });
  await Promise.all([timestamps.of(SIGNATURE), timestamps.of(SIGNATURE)]);
  await timestamps.of(SIGNATURE);
  expect(answers.filter(({ url }) => url === away).map(({ isNew }) => isNew)).toEqual([true, false]);
  expect(answers.filter(({ url }) => url === tsa.url)).toHaveLength(3);
  const alone = await timestampsOf([away]);
  const error = await alone.of(SIGNATURE).catch((thrown) => thrown);
  expect(error.message).toBe(
    "No timestamp authority returned a timestamp: http://127.0.0.1:9/tsa can't be reached.",
  );
});

test("without certificates of authorities, every authority is trusted", async () => {
  const timestamps = await timestampsOf([fixture.foreign.url], { anchors: undefined });
  expect((await timestamps.of(SIGNATURE)).certificate.subjectName).toContain("Test TSA");
});
