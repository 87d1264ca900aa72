import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, heldUp, maxMessageBytes, openTransports, type Transports } from "../transports.js";

let transports: Transports;
beforeAll(async () => {
  transports = await openTransports();
});
afterAll(() => transports.close());

const getCredential = "/learning_credentials.v1.CredentialService/GetCredential";
const getMetadata = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const listMine = "/learning_credentials.v1.CredentialService/ListMyCredentials";
const listEligible = "/learning_credentials.v1.EligibilityService/ListEligibleLearners";

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(transports.http + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return { status: response.status, body: await response.text() };
}

const service = { authorization: "Bearer service" };
const staff = { authorization: "Bearer staff" };
const proto = { "content-type": "application/proto" };
const malformed = new Uint8Array([0x0a, 0x7f, 0x01]);

describe("the version of the Connect protocol", () => {
  const version = (named: string) => ({ "connect-protocol-version": named });
  const query = "encoding=json&message=%7B%7D";

  it("may be left out, or be 1", async () => {
    for (const headers of [{}, version("1")])
      expect((await post(listMine, "{}", { ...staff, ...headers })).status).toBe(200);
    for (const connect of ["", "&connect=v1"])
      expect(
        (await fetch(`${transports.http}${listMine}?${query}${connect}`, { headers: staff })).status,
      ).toBe(200);
  });

  it("is refused if it is another one, as the protocol requires", async () => {
    const refused = {
      code: "invalid_argument",
      message: 'Connect-Protocol-Version is "2"; only 1 is supported.',
    };
    for (const [path, body] of [
      [listMine, "{}"],
      [listEligible, "\0\0\0\0\u0002{}"],
    ] as const) {
      const type = path === listMine ? {} : { "content-type": "application/connect+json" };
      const answer = await post(path, body, { ...staff, ...type, ...version("2") });
      expect(answer.body).toContain(JSON.stringify(refused).slice(1, -1));
    }
    const got = await fetch(`${transports.http}${listMine}?${query}&connect=v2`, { headers: staff });
    expect([got.status, await got.json()]).toMatchObject([400, refused]);
  });
});

describe("an unreadable request", () => {
  const gzip = { "content-encoding": "gzip" };
  it.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number, string, RegExp]>([
    ["malformed JSON", '{"uuid": ', {}, 400, "invalid_argument", /JSON/],
    ["an unknown JSON field", '{"uid": "1"}', {}, 400, "invalid_argument", /key "uid" is unknown/],
    ["a JSON value of another type", '{"uuid": 1}', {}, 400, "invalid_argument", /uuid/],
    ["invalid UTF-8 in JSON", Uint8Array.of(0x7b, 0xff, 0x7d), {}, 400, "invalid_argument", /utf-8/i],
    ["malformed bytes", malformed, proto, 400, "invalid_argument", /not a valid .*GetCredentialRequest/],
    ["malformed gzip", "nonsense", gzip, 400, "invalid_argument", /./],
    ["an unknown encoding", "{}", { "content-encoding": "zstd" }, 501, "unimplemented", /gzip,br/],
    ["a malformed timeout", "{}", { "connect-timeout-ms": "soon" }, 400, "invalid_argument", /timeout/],
    ["too much", JSON.stringify({ uuid: "x".repeat(maxMessageBytes) }), {}, 429, "resource_exhausted", /./],
    [
      "too much once unpacked",
      new Uint8Array(gzipSync("x".repeat(1e6))),
      gzip,
      429,
      "resource_exhausted",
      /./,
    ],
  ])("is refused: %s", async (_, body, headers, status, code, message) => {
    const refused = await post(getCredential, body, { ...staff, ...headers });
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toMatchObject({ code, message: expect.stringMatching(message) });

    const stranger = await post(getCredential, body, headers);
    expect([stranger.status, JSON.parse(stranger.body).code]).toEqual([401, "unauthenticated"]);
  });

  it.each([
    ["CredentialService/InvalidateCredentials", { filter: { createStartTime: "2026-02-30T00:00:00Z" } }],
    ["CredentialService/SearchCredentials", { filter: { create_end_time: "2026-04-31T00:00:00+01:00" } }],
    ["LearnerRecordService/UpsertRecords", { records: [{ observeTime: "2025-02-29T00:00:00.5Z" }] }],
    ["LearnerRecordService/ImportRecords", { records: [{}, { observe_time: "2025-02-29T00:00:00Z" }] }],
  ])("is refused if a time is on a day that doesn't exist: %s", async (method, request) => {
    const json = JSON.stringify(request);
    const isStream = method.endsWith("ImportRecords");
    const caller = method.startsWith("LearnerRecordService") ? service : staff;
    const envelope = Buffer.alloc(isStream ? 5 : 0);
    if (isStream) envelope.writeUInt32BE(json.length, 1);
    const { body } = await post(
      `/learning_credentials.v1.${method}`,
      new Uint8Array(Buffer.concat([envelope, Buffer.from(json)])),
      { ...caller, ...(isStream && { "content-type": "application/connect+json" }) },
    );
    expect(body).toMatch(/invalid_argument/);
    expect(body).toMatch(/(create_start|create_end|observe)_time: the day 202\d-0\d-\d\d doesn't exist/);
  });

  it("is not refused if another text looks like a time on such a day", async () => {
    const request = { records: [{ learner: { username: "2026-02-30T00:00:00Z" } }] };
    const path = "/learning_credentials.v1.LearnerRecordService/UpsertRecords";
    expect((await post(path, JSON.stringify(request), service)).status).toBe(200);
  });

  it("is also refused over GET", async () => {
    for (const query of [
      "message=%7B",
      "message=%25%25&base64=1",
      `message=${encodeURIComponent('{"uid":1}')}`,
    ]) {
      const url = `${transports.http}${getCredential}?connect=v1&encoding=json&${query}`;
      const refused = await fetch(url, { headers: staff });
      expect([refused.status, JSON.parse(await refused.text()).code]).toEqual([400, "invalid_argument"]);
      const stranger = await fetch(url);
      expect([stranger.status, JSON.parse(await stranger.text()).code]).toEqual([401, "unauthenticated"]);
    }
  });

  it("is refused in a stream, after authentication", async () => {
    const envelope = Buffer.concat([Buffer.of(0, 0, 0, 0, malformed.length), malformed]);
    const type = { "content-type": "application/connect+proto" };
    const refused = await post(listEligible, new Uint8Array(envelope), { ...staff, ...type });
    expect(refused.body).toContain('{"error":{"code":"invalid_argument"');
    const stranger = await post(listEligible, new Uint8Array(envelope), type);
    expect(stranger.body).toContain('{"error":{"code":"unauthenticated"');
  });

  it.each([0, 2])("is refused in a stream with %i messages instead of one", async (count) => {
    const type = { "content-type": "application/connect+proto" };
    const refused = await post(listEligible, new Uint8Array(5 * count), { ...staff, ...type });
    expect(refused.body).toContain('{"error":{"code":"invalid_argument"');
  });

  it("is refused when a chunked body grows too large, and the response arrives", async () => {
    const request = httpRequest(transports.http + getCredential, {
      method: "POST",
      headers: { ...staff, "content-type": "application/json" },
    });
    request.write("x".repeat(maxMessageBytes));
    request.end("x");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(429);
    response.resume();
  });

  it("is refused at its deadline if it arrives slowly", async () => {
    const request = httpRequest(transports.http + getCredential, {
      method: "POST",
      headers: { ...staff, "content-type": "application/json", "connect-timeout-ms": "100" },
    });
    request.write("{");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(504);
    request.destroy();
  });

  it("does no harm if it is cut off", async () => {
    for (const path of [getCredential, listEligible]) {
      const request = httpRequest(transports.http + path, {
        method: "POST",
        headers: {
          ...staff,
          "content-type": path === listEligible ? "application/connect+json" : "application/json",
        },
      });
      request.on("error", () => {});
      request.write("{");
      await once(request, "socket");
      setTimeout(() => request.destroy(), 50);
      await new Promise((resolve) => request.once("close", resolve));
    }
    expect((await post(getMetadata, "{}")).status).toBe(200);
  });
});

describe("credentials", () => {
  const get = `${listMine}?connect=v1&encoding=json&message=%7B%7D`;

  it("may be cookies on a GET", async () => {
    const response = await fetch(transports.http + get, { headers: { cookie: "Bearer learner" } });
    expect(await response.json()).toEqual({ nextPageToken: "user" });
  });

  it("may not be cookies on a POST, which a foreign page can make a browser send", async () => {
    for (const type of ["application/json", "application/grpc-web+json"]) {
      const response = await post(listMine, "{}", { cookie: "Bearer learner", "content-type": type });
      expect(response.body + response.status).not.toContain("nextPageToken");
    }
    const { status } = await post(listMine, "{}", { cookie: "Bearer learner" });
    expect(status).toBe(401);
  });
});

describe("HTTP", () => {
  it.each([
    ["PUT", getMetadata, 405, "POST, GET"],
    ["HEAD", getMetadata, 405, "POST, GET"],
    ["GET", "/learning_credentials.v1.CredentialService/IssueCredential", 405, "POST"],
    ["GET", listEligible, 405, "POST"],
  ])("%s %s is %i", async (method, path, status, allow) => {
    const response = await fetch(transports.http + path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
  });

  it.each(["text/plain", "application/connect+json", "application/grpc"])("%s is 415", async (type) => {
    expect(await post(getMetadata, "{}", { "content-type": type })).toEqual({
      status: 415,
      body: `{"detail":"Content-Type is \\"${type}\\": send application/json, or another type of Connect or gRPC-Web."}`,
    });
  });

  it.each(["/learning_credentials.v1.CredentialService/Nothing", "/x.Y/Z", `${getMetadata}/`])(
    "%s is 404",
    async (path) => {
      expect(await post(path, "{}")).toEqual({ status: 404, body: '{"detail":"Not found."}' });
    },
  );

  it("compresses large responses", async () => {
    const path = "/learning_credentials.v1.CredentialService/ListCredentials";
    const response = await fetch(transports.http + path, {
      method: "POST",
      headers: { ...staff, "content-type": "application/json", "accept-encoding": "gzip" },
      body: new Uint8Array(gzipSync("{}")),
    });
    expect(response.status).toBe(400); // the body is gzip without the header that declares it
    const packed = await fetch(transports.http + path, {
      method: "POST",
      headers: {
        ...staff,
        "content-type": "application/json",
        "accept-encoding": "gzip",
        "content-encoding": "gzip",
      },
      body: new Uint8Array(gzipSync("{}")),
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.json()).toEqual({ nextPageToken: "x".repeat(1_000_000) });
  });
});

it("pauses a stream while its reader is slow, and ends it when the reader leaves", async () => {
  const { streamsEnded } = transports;
  const request = httpRequest(transports.http + listEligible, {
    method: "POST",
    headers: { ...staff, "content-type": "application/connect+json" },
  });
  request.end(Buffer.concat([Buffer.of(0, 0, 0, 0, 2), Buffer.from("{}")]));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.pause();
  await heldUp(transports);
  expect(transports.streamsEnded).toBe(streamsEnded);
  response.destroy();
  await eventually(() => transports.streamsEnded > streamsEnded);
});
