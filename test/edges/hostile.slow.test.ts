import { Agent, type ClientRequestArgs, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { learner } from "../contract/callers.js";
import { ALGEBRA, importContractData, issued } from "../contract/contract-data.js";
import { readHtml } from "../email/read-html.js";
import { givenService } from "../support/service.js";

/** `HOSTILE_CASES=10000` runs more cases. A failure prints its seed. */
const CASES = Number(process.env.HOSTILE_CASES ?? 2_000);
const AT_A_TIME = 20;
const V1 = "/api/learning_credentials/v1";

const service = givenService({ settings: { TRUSTED_PROXIES: "1", PUBLIC_RATE_LIMIT: "1000000" } });
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  await importContractData(service);
});
afterAll(async () => {
  agent.destroy();
});

interface Hostile {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** @returns undefined if Node's client refuses to send the request */
function send({ method, target, headers }: Hostile): Promise<Answer | undefined> {
  const { hostname, port } = new URL(service.httpUrl);
  const options: ClientRequestArgs = { hostname, port, agent, method, path: target, headers };
  return new Promise((resolve, reject) => {
    try {
      const sent = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode: status = 0, headers } = response;
          const body = unpack(headers["content-encoding"], Buffer.concat(chunks)).toString();
          resolve({ status, headers, body });
        });
      });
      sent.on("error", reject).end();
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (/^ERR_(UNESCAPED_CHARACTERS|INVALID_CHAR|INVALID_HTTP_TOKEN)$/.test(code)) resolve(undefined);
      else reject(error);
    }
  });
}

function unpack(coding: string | undefined, bytes: Buffer): Buffer {
  if (coding === undefined || bytes.length === 0) return bytes;
  return coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}

/** Texts that would break out of HTML. Each contains this word. */
const MARK = "xq7";
const markup = fc.constantFrom(
  `<script>${MARK}()</script>`,
  `"><img src=x onerror=${MARK}()>`,
  `'${MARK}='`,
  `"${MARK}="`,
  `<${MARK}>`,
  `</title><${MARK}>`,
  `-->&<${MARK}/>`,
  `{{${MARK}}}<${MARK}`,
  `\u2028<${MARK}>\u0000`,
  `javascript:${MARK}()//<${MARK}>`,
);
const uuids = Object.values(issued).map(({ verifyUuid }) => verifyUuid);
const uuidForm = fc
  .tuple(
    fc.constantFrom(...uuids),
    fc.constantFrom("plain", "upper", "bare", "braces", "urn", "cut", "long", "marked"),
  )
  .map(([uuid, form]) => {
    if (form === "upper") return uuid.toUpperCase();
    if (form === "bare") return uuid.replaceAll("-", "");
    if (form === "braces") return `{${uuid}}`;
    if (form === "urn") return `urn:uuid:${uuid}`;
    if (form === "cut") return uuid.slice(0, -1);
    if (form === "long") return `${uuid}0`;
    return form === "marked" ? `${uuid}<${MARK}>` : uuid;
  });
const odd = fc.constantFrom(
  "%",
  "%zz",
  "%00",
  "%0d%0aSet-Cookie:%20a=b",
  "%ff%fe",
  "%c0%ae%c0%ae",
  "..%2f..%2fetc%2fpasswd",
  "..",
  ".",
  "%2e%2e",
  "//",
  "\\",
  ";",
  "+",
  "*",
  "__proto__",
  "constructor",
  "' or 1=1 --",
  "%F0%9F%8E%93",
  "A".repeat(3_000),
  ALGEBRA,
);
const text = fc.oneof(markup, odd, uuidForm, fc.string(), fc.string({ unit: "binary", maxLength: 30 }));

/** Percent-encodes all, part or none of a text. Node's client refuses raw bytes that HTTP forbids. */
const written = fc
  .tuple(
    text,
    fc.constantFrom(encodeURIComponent, encodeURI, (raw: string) => raw),
  )
  .map(([raw, write]) => write(raw.toWellFormed()).replaceAll(" ", "%20"));
const place = fc.constantFrom(
  "",
  "/",
  `${V1}/`,
  `${V1}/metadata/`,
  `${V1}/configured/`,
  `${V1}/eligibility/`,
  `${V1}/docs/`,
  `${V1}/openapi.json`,
  "/verify/",
  "/verify",
  "/download/",
  "/download/credential/",
  "/files/",
  "/livez",
  "/readyz",
  "/learning_credentials.v1.CredentialService/",
  "/learning_credentials.v1.CredentialService/GetCredentialMetadata",
  "http://elsewhere.test/verify/",
);
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "id",
        "lang",
        "username",
        "verify_uuid",
        "retrieval_func",
        "message",
        "encoding",
        "connect",
        "expires",
        "signature",
        "",
      ),
      written,
    ),
    { maxLength: 4 },
  )
  .map((pairs) =>
    pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`,
  );
const target = fc
  .tuple(place, fc.array(written, { maxLength: 3 }), fc.constantFrom("", "/"), query)
  .map(([start, segments, end, requested]) => `${start}${segments.join("/")}${end}${requested}` || "/");
const headerText = fc.oneof(
  markup,
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    "*",
    ",",
    ";q=",
    '"',
    "gzip;q=0, br;q=1.0, *",
    "br",
    "en-US,*;q=0.5",
    "ar",
    "xx-<i>",
    'W/"a", "b"',
    'for="[::1]:80";by=_x, for=1.2.3.4',
    "1.2.3.4, ::ffff:1.2.3.4, unknown",
    "Bearer a.b.c",
    "JWT ..",
    "edx-jwt-cookie-header-payload=a.b; edx-jwt-cookie-signature=c",
    "null",
    "https://evil.test",
    "1S",
    "99999999999999999999",
    "application/grpc-web+proto",
    "application/json",
  ),
);
const headers = fc.dictionary(
  fc.constantFrom(
    ..."accept accept-encoding accept-language authorization cookie origin if-none-match if-match range forwarded".split(
      " ",
    ),
    ..."x-forwarded-for x-forwarded-host x-forwarded-proto x-request-id content-type connect-protocol-version".split(
      " ",
    ),
    ..."connect-timeout-ms grpc-timeout x-grpc-web access-control-request-method access-control-request-headers".split(
      " ",
    ),
    ..."referer user-agent x-http-method-override".split(" "),
  ),
  headerText,
  { maxKeys: 5 },
);
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant("GET") },
  fc.constantFrom("HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"),
);
const hostile: fc.Arbitrary<Hostile> = fc.record({ method, target, headers });

/** Checks that a response quotes its request only where a browser reads it as text. */
function checkPage(body: string): void {
  const { tags } = readHtml(body);
  // All pages have one script, and the page with the form has a second one.
  expect(tags.filter(({ name }) => name === "script").length).toBeLessThan(3);
  for (const { name, attributes } of tags) {
    expect(["iframe", "object", "base", MARK]).not.toContain(name);
    if (name === "img") expect(attributes.src).toBe("picture.png"); // the picture of a credential in force
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(new RegExp(`^on|${MARK}`, "i"));
      if (["href", "src", "action"].includes(attribute)) expect(value).not.toMatch(/^\s*javascript:/i);
    }
  }
}

function check(requested: Hostile, { status, headers, body }: Answer): void {
  expect(status).toBeLessThan(500);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(headers["x-request-id"]).toMatch(/^[\w.:-]{1,128}$/);
  expect(headers).not.toHaveProperty("set-cookie");
  const type = headers["content-type"] ?? "";
  const isSameForAll = headers.etag !== undefined; // the description of the API has an ETag
  if (type.startsWith("text/html") && body !== "" && !isSameForAll) checkPage(body);
  else expect(type).toMatch(/^$|^text\/html|^application\/(json|proto|grpc-web|connect)/);
  const location = headers.location ?? "";
  if (location !== "") {
    // The redirect stays on this host, whatever the path was.
    const { origin } = new URL(location, service.httpUrl);
    expect([new URL(service.httpUrl).origin, "https://credentials.test"]).toContain(origin);
  }
  if (requested.method === "HEAD") expect(body).toBe("");
}

test(`${CASES} hostile requests get no 5xx response, and are reflected nowhere`, {
  timeout: 300_000,
}, async () => {
  const statuses = new Map<number, number>();
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: AT_A_TIME, maxLength: AT_A_TIME }), async (batch) => {
      const answers = await Promise.all(batch.map(send));
      answers.forEach((answer, index) => {
        if (!answer) return;
        sent++;
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        check(batch[index] as Hostile, answer);
      });
    }),
    { numRuns: Math.ceil(CASES / AT_A_TIME) },
  );
  expect(sent).toBeGreaterThan(CASES / 2);
  // The cases reach pages, responses that require a token, and redirects.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 301, 400, 403, 404, 405]));
});

test("bytes that no proper client would send get no 5xx response", async () => {
  const { hostname, port } = new URL(service.httpUrl);
  const exchange = async (bytes: Buffer): Promise<string> => {
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    // Node.js drops the response to a client that closes its side early, and sends none to an incomplete request.
    const noMore = setTimeout(() => socket.end(), 3_000);
    try {
      return Buffer.concat(await socket.toArray()).toString("latin1");
    } finally {
      clearTimeout(noMore);
    }
  };
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString("latin1"));
  const line = fc.tuple(fc.constantFrom("GET", "HEAD", "POST", "get", "\0", ""), place, bytes);
  const request = fc.tuple(
    line,
    fc.constantFrom("Accept", "Cookie", "X-Request-Id", "Expect", "\x7f"),
    bytes,
  );
  await fc.assert(
    fc.asyncProperty(request, async ([[method, start, rest], name, value]) => {
      const head = [
        `${method} ${start}${rest} HTTP/1.1`,
        "Host: x",
        "Connection: close",
        `${name}: ${value}`,
      ];
      const received = await exchange(Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"));
      expect(received).toMatch(/^HTTP\/1\.1 [234]\d\d .*\r\n/);
      expect(received).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/);
    }),
    { numRuns: CASES / 10 },
  );
}, 180_000);

describe("absent, generating and failed credentials look the same", () => {
  const ABSENT = "00000000-0000-4000-8000-000000000000";
  const hidden = [issued.GENERATING.verifyUuid, issued.FAILED.verifyUuid, issued.AVAILABLE.uuid];
  const transport = fc.constantFrom(
    { method: "GET", before: `${V1}/metadata/`, after: "/" },
    { method: "HEAD", before: `${V1}/metadata/`, after: "/" },
    { method: "GET", before: "/verify/", after: "/" },
    { method: "GET", before: "/verify/", after: "/?lang=ar" },
    {
      method: "GET",
      before:
        "/learning_credentials.v1.CredentialService/GetCredentialMetadata?encoding=json&message=%7B%22verifyUuid%22%3A%22",
      after: "%22%7D",
    },
  );
  const spelling = fc.constantFrom(
    (uuid: string) => uuid,
    (uuid: string) => uuid.toUpperCase(),
    (uuid: string) => uuid.replaceAll("-", "%2D"),
  );
  const caller = fc.constantFrom({}, learner("hal"), { "accept-encoding": "br" }, { "if-none-match": "*" });

  /** Returns a response without the parts that differ between requests, and without the requested UUID. */
  async function reported(request: Hostile, uuid: string): Promise<unknown> {
    const answer = await send({ ...request, headers: { ...request.headers, "x-request-id": "same" } });
    const { date, "content-length": length, location = "", ...headers } = answer?.headers ?? {};
    const without = (text: unknown) => String(text).replaceAll(new RegExp(uuid, "gi"), "…");
    const body = without(answer?.body ?? "").replaceAll(/<time.*?<\/time>/gs, "…");
    return { status: answer?.status, location: without(location), headers, body };
  }

  test("over any protocol, in any spelling, to any caller", async () => {
    await fc.assert(
      fc.asyncProperty(transport, spelling, caller, async ({ method, before, after }, spell, headers) => {
        const of = (uuid: string) =>
          reported(
            { method, target: `${before}${spell(uuid)}${after}`, headers: headers as Record<string, string> },
            uuid,
          );
        const absent = await of(ABSENT);
        // An unusual spelling of any UUID is redirected to the canonical spelling.
        expect(absent).toMatchObject({ status: expect.toBeOneOf([301, 404]) });
        for (const uuid of hidden) expect(await of(uuid)).toEqual(absent);
      }),
      { numRuns: 60 },
    );
  });
});
