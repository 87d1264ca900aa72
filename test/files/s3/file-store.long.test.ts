import { createHash, randomUUID } from "node:crypto";
import dns from "node:dns";
import { Client } from "minio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { Problem } from "#foundation/errors.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { openS3FileStore, type S3Settings } from "#infrastructure/files/s3/file-store.js";
import { fileStoreContract, newKey } from "../file-store-contract.js";
import { givenS3, type S3Endpoint, startS3rver } from "./endpoints.js";
import {
  answerWith,
  type Fault,
  type FaultyProxy,
  faults,
  refuse,
  startFaultyProxy,
} from "./faulty-proxy.js";

const PDF = { contentType: "application/pdf", downloadName: "Ada.pdf" };
const TEXT = "A credential. ".repeat(7000);
const CONTENT = Buffer.from(TEXT);
const PATIENCE = { idleMs: 5000, attemptMs: 10_000, pauseMs: 20, retryForMs: 10_000, startMs: 10_000 };
const IMPATIENCE = { idleMs: 300, attemptMs: 600, pauseMs: 20, retryForMs: 600, startMs: 10_000 };
const PAGE = "<!doctype html><title>Sign in</title><p>Welcome to the hotel's network.</p>";
const given = givenS3();

describe("the S3 store on s3rver", () => testOn(startS3rver, { refuses: false }));

describe("with the bucket in the host name", () => {
  let s3: S3Endpoint;
  let settings: S3Settings;
  beforeAll(async () => {
    s3 = await startS3rver("example.test");
    const endpoint = s3.endpoint.replace("127.0.0.1", "s3.example.test");
    settings = {
      ...s3,
      endpoint,
      publicEndpoint: undefined,
      bucket: "credentials",
      pathStyle: false,
      customDomain: undefined,
    };
    // No name server resolves these names.
    const lookup = dns.lookup as (...args: unknown[]) => void;
    vi.spyOn(dns, "lookup").mockImplementation(((host: string, ...args: unknown[]) =>
      lookup(host.endsWith(".example.test") ? "127.0.0.1" : host, ...args)) as typeof dns.lookup);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await s3.stop();
  });

  test("a file is stored, listed, moved, linked to and deleted", async () => {
    const store = await openS3FileStore(settings);
    const [key, other] = [newKey(), newKey()];
    await store.put(key, CONTENT, PDF);
    expect(await store.move(key, other)).toBe(true);
    expect((await store.read(other))?.toString()).toBe(TEXT);
    const { url } = await store.downloadUrl(other);
    expect(new URL(url)).toMatchObject({ hostname: "credentials.s3.example.test", pathname: `/${other}` });
    await store.delete(other);
    expect(await store.read(other)).toBeUndefined();
  });
});

test("an upload has a Content-MD5 over http, which buckets with Object Lock require", async () => {
  const s3 = await startS3rver();
  const proxy = await startFaultyProxy(s3.endpoint);
  onTestFinished(async () => {
    await proxy.stop();
    await s3.stop();
  });
  const store = await openS3FileStore({
    ...s3,
    endpoint: proxy.url,
    publicEndpoint: undefined,
    bucket: "credentials",
    pathStyle: true,
    customDomain: undefined,
  });
  await store.put(newKey(), CONTENT, PDF);
  const upload = proxy.requests.findLast(({ method }) => method === "PUT");
  expect(upload?.headers["content-md5"]).toBe(createHash("md5").update(CONTENT).digest("base64"));
  expect(upload?.headers["x-amz-content-sha256"]).toBe(createHash("sha256").update(CONTENT).digest("hex"));
});

describe.skipIf(!given)("the S3 store on an S3 that checks signatures", () => {
  testOn(async () => given as S3Endpoint, { refuses: true });
});

function testOn(start: () => Promise<S3Endpoint>, { refuses }: { refuses: boolean }): void {
  let s3: S3Endpoint;
  let settings: S3Settings;
  beforeAll(async () => {
    s3 = await start();
    const { endpoint, region, accessKey, secretKey } = s3;
    const bucket = `credentials-${randomUUID()}`;
    settings = {
      endpoint,
      publicEndpoint: undefined,
      region,
      bucket,
      accessKey,
      secretKey,
      pathStyle: true,
      customDomain: undefined,
    };
  });
  afterAll(() => s3.stop());

  /** Puts a proxy in front of the endpoint. */
  async function proxied(): Promise<{ proxy: FaultyProxy; through: S3Settings }> {
    const proxy = await startFaultyProxy(s3.endpoint);
    onTestFinished(proxy.stop);
    return { proxy, through: { ...settings, endpoint: proxy.url } };
  }

  /** Opens a store behind a proxy. Then clears the proxy's list of requests. */
  async function openBehindProxy(patience = PATIENCE) {
    const { proxy, through } = await proxied();
    const store = await openS3FileStore(through, undefined, patience);
    proxy.requests.length = 0;
    return { proxy, store };
  }

  /** Creates a client that bypasses the store. */
  function openClient(): Client {
    const { endpoint, region, accessKey, secretKey } = s3;
    const { hostname, port } = new URL(endpoint);
    return new Client({
      endPoint: hostname,
      port: Number(port),
      useSSL: false,
      region,
      accessKey,
      secretKey,
    });
  }

  async function objects(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of openClient().listObjectsV2(settings.bucket, prefix, true)) names.push(name);
    return names;
  }

  // s3rver creates the token for the next page with a cipher that Node no longer has.
  fileStoreContract((customDomain) => openS3FileStore({ ...settings, customDomain }), {
    refuses,
    pages: refuses,
  });

  describe("opening", () => {
    test("creates the bucket, even if several processes do so at once", async () => {
      const fresh = { ...settings, bucket: `credentials-${randomUUID()}` };
      const stores = await Promise.all([1, 2, 3].map(() => openS3FileStore(fresh)));
      const key = newKey();
      await stores[0]?.put(key, CONTENT, PDF);
      expect(await textAt(stores[2], key)).toBe(TEXT);
    });

    test("creates the bucket, even if responses are lost", async () => {
      const { proxy, through } = await proxied();
      proxy.failNext(faults.loseAnswer, refuse(404, "NoSuchBucket"), faults.loseAnswer);
      await openS3FileStore({ ...through, bucket: `credentials-${randomUUID()}` });
      expect(proxy.requests.map(({ method }) => method)).toEqual(["GET", "GET", "PUT", "GET"]);
    });

    test("reports that the bucket is missing and may not be created", async () => {
      const { proxy, through } = await proxied();
      const missing = refuse(404, "NoSuchBucket");
      proxy.failNext(missing, refuse(403, "AccessDenied"), missing);
      await expect(openS3FileStore(through)).rejects.toThrow(
        `The bucket ${settings.bucket} at ${proxy.url} can't be used: access is denied: check that S3_BUCKET is right, and ` +
          "that S3_ACCESS_KEY and S3_SECRET_KEY may list that bucket, and get, put and delete its objects; if there is " +
          "no such bucket, create it, or allow the keys to create it",
      );
    });

    test("refuses an invalid bucket name", async () => {
      const problem = await failureOf(openS3FileStore({ ...settings, bucket: "No_Bucket" }));
      expect(problem).toMatchObject({ name: "Problem", kind: "failed-precondition" });
      expect(problem.message).toMatch(/Invalid bucket name/);
    });

    test("refuses a store that requires the bucket in the host name, with the setting for that", async () => {
      const { proxy, through } = await proxied();
      proxy.failNext(refuse(403, "SecondLevelDomainForbidden"));
      await expect(openS3FileStore(through)).rejects.toThrow(/set S3_PATH_STYLE to False/);
    });

    test.each<[string, (s3: S3Endpoint) => Partial<S3Settings>, RegExp]>([
      ["nothing listens", () => ({ endpoint: "http://127.0.0.1:9" }), /can't be reached .* S3_ENDPOINT/],
      ["there is no such host", () => ({ endpoint: "http://s3.invalid" }), /can't be reached .* S3_ENDPOINT/],
      ["it is no TLS", ({ endpoint }) => ({ endpoint: endpoint.replace("http:", "https:") }), /http:\/\//],
    ])("continues and reports the reason if %s; a call reports it, too", async (_name, change, remedy) => {
      const reported: Error[] = [];
      const patience = { ...IMPATIENCE, pauseMs: 1, retryForMs: 100 };
      const store = await openS3FileStore(
        { ...settings, ...change(s3) },
        (fault) => reported.push(fault),
        patience,
      );
      await expect.poll(() => reported).toHaveLength(1);
      expect(reported[0]?.message).toMatch(remedy);
      const problem = await failureOf(store.read(newKey()));
      expect(problem).toMatchObject({ kind: "unavailable", outage: "store" });
      expect(String(problem.cause)).toMatch(remedy);
    });

    test.each<[string, Fault]>([
      ["does not answer", faults.hang],
      ["answers 503", refuse(503, "SlowDown")],
      ["answers with a web page", answerWith(200, PAGE)],
      ["forbids with a web page", answerWith(403, PAGE)],
      ["answers with nonsense", answerWith(200, "nonsense", "application/xml")],
    ])(
      "an endpoint that %s is waited for no longer than the start may take, and used when it works",
      async (_name, fault) => {
        const { proxy, through } = await proxied();
        const reported: Error[] = [];
        proxy.failAlways(fault);
        const fresh = { ...through, bucket: `credentials-${randomUUID()}` };
        const patience = { ...IMPATIENCE, startMs: 100 };
        const store = await openS3FileStore(fresh, (error) => reported.push(error), patience);
        await expect.poll(() => reported.length).toBeGreaterThan(0);
        for (const call of [store.check("documents"), store.read(newKey())]) {
          expectUnavailable(await failureOf(call), proxy);
        }
        proxy.failAlways(undefined);
        const key = newKey();
        await expect.poll(() => store.put(key, CONTENT, PDF).then(() => "put", String)).toBe("put");
        expect(await textAt(store, key)).toBe(TEXT);
      },
    );

    test("refuses the settings when the store refuses them", async () => {
      const { proxy, through } = await proxied();
      proxy.failAlways(refuse(403, "InvalidAccessKeyId"));
      const problem = await failureOf(openS3FileStore(through));
      expect(problem).toMatchObject({ kind: "failed-precondition" });
      expect(problem.message).toContain("S3_ACCESS_KEY");
    });

    test.each(["RequestTimeTooSkewed", "AccessDenied", "SignatureDoesNotMatch"])(
      "names both times when the clocks differ and the store says %s",
      async (code) => {
        const { proxy, through } = await proxied();
        const there = new Date(Date.now() + 20 * 60_000);
        proxy.failAlways(refuse(403, code, { date: there.toUTCString() }));
        const reported: Error[] = [];
        await openS3FileStore(through, (fault) => reported.push(fault));
        await expect.poll(() => reported).toHaveLength(1);
        const [, here = "", at] =
          /it is (\S+) on this machine and (\S+) at the store/.exec(reported[0]?.message ?? "") ?? [];
        expect(at).toBe(`${there.toISOString().slice(0, 19)}.000Z`);
        expect(Math.abs(Date.parse(here) - Date.now())).toBeLessThan(60_000);
      },
    );
  });

  describe("a check of the store", () => {
    test("leaves nothing, and is never listed", async () => {
      const { proxy, store } = await openBehindProxy();
      await store.check("documents");
      expect(proxy.requests.map(({ method }) => method)).toEqual(["PUT", "DELETE"]);
      expect(await objects("documents/")).toEqual([]);
      proxy.failAlways(faults.passOn);
      await openClient().putObject(settings.bucket, "documents/.check", "left by a process that died");
      const listed = [];
      for await (const { key } of store.list("documents/")) listed.push(key);
      expect(listed).toEqual([]);
    });
  });

  describe("requests", () => {
    test("have a checksum and the attributes, and set no access list", async () => {
      const { proxy, store } = await openBehindProxy();
      const [from, to] = [newKey(), newKey()];
      await store.put(from, CONTENT, PDF);
      await store.move(from, to);
      await store.delete(to);
      expect(proxy.requests[0]?.headers).toMatchObject({
        "content-type": "application/pdf",
        "content-disposition": `attachment; filename="Ada.pdf"; filename*=UTF-8''Ada.pdf`,
        "cache-control": "private, max-age=0",
        "content-length": String(CONTENT.length),
        "x-amz-content-sha256": createHash("sha256").update(CONTENT).digest("hex"),
      });
      for (const { path, headers } of proxy.requests) {
        expect(path).not.toContain("?");
        expect(Object.keys(headers).filter((name) => /acl|grant/.test(name))).toEqual([]);
      }
    });

    test("go to the endpoint, links to the public one", async () => {
      const { proxy, through } = await proxied();
      const store = await openS3FileStore({ ...through, publicEndpoint: s3.endpoint });
      const key = newKey();
      await store.put(key, CONTENT, PDF);
      const { url } = await store.downloadUrl(key);
      proxy.requests.length = 0;
      expect(url.startsWith(`${s3.endpoint}/${settings.bucket}/${key}?`)).toBe(true);
      expect(await (await fetch(url)).text()).toBe(TEXT);
      expect(proxy.requests).toEqual([]);
    });
  });

  describe("faults", () => {
    test("a put whose response is lost is repeated, and leaves one file", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      proxy.failNext(faults.loseAnswer);
      await store.put(key, CONTENT, PDF);
      expect(proxy.requests.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
      expect(await objects(key.slice(0, key.lastIndexOf("/")))).toEqual([key]);
      expect(await textAt(store, key)).toBe(TEXT);
    });

    test.each(["read", "copy", "check", "delete"])(
      "a move continues if the response to its %s is lost",
      async (step) => {
        const { proxy, store } = await openBehindProxy();
        const [from, to] = [newKey(), newKey()];
        await store.put(from, CONTENT, PDF);
        const before = ["read", "copy", "check", "delete"].indexOf(step);
        proxy.failNext(...Array(before).fill(faults.passOn), faults.loseAnswer);
        expect(await store.move(from, to)).toBe(true);
        expect(await store.read(from)).toBeUndefined();
        expect(await textAt(store, to)).toBe(TEXT);
      },
    );

    test("a copy that differs temporarily is read again", async () => {
      const { proxy, store } = await openBehindProxy();
      const [from, to] = [newKey(), newKey()];
      await store.put(from, CONTENT, PDF);
      proxy.failNext(faults.passOn, faults.passOn, faults.corruptDownload);
      expect(await store.move(from, to)).toBe(true);
      expect(await store.read(from)).toBeUndefined();
      expect(await textAt(store, to)).toBe(TEXT);
    });

    test("a copy that keeps differing does not replace the file, which stays", async () => {
      const { proxy, store } = await openBehindProxy();
      const [from, to] = [newKey(), newKey()];
      await store.put(from, CONTENT, PDF);
      proxy.failNext(faults.passOn, faults.passOn, ...Array(5).fill(faults.corruptDownload));
      const problem = await failureOf(store.move(from, to));
      expect(problem).toMatchObject({ name: "Problem", kind: "unavailable" });
      expect(String(problem.cause)).toContain("differs");
      expect(await textAt(store, from)).toBe(TEXT);
    });

    test("an endpoint that refuses connections is retried", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      await proxy.stop();
      setTimeout(proxy.start, 80);
      await store.put(key, CONTENT, PDF);
      expect(await textAt(store, key)).toBe(TEXT);
    });

    test.each([503, 500, 429])("a request that gets %d is retried", async (status) => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      proxy.failNext(refuse(status, "SlowDown"), refuse(status, "SlowDown"));
      await store.put(key, CONTENT, PDF);
      expect(proxy.requests).toHaveLength(3);
      expect(await textAt(store, key)).toBe(TEXT);
    });

    test.each([
      ["does not answer", faults.hang],
      ["switches protocols", faults.switchProtocols],
      ["never comes to an end", faults.trickle],
    ])("an endpoint that %s is given up", async (_name, fault) => {
      const { proxy, store } = await openBehindProxy(IMPATIENCE);
      proxy.failNext(...Array(10).fill(fault));
      for (const call of [() => store.read(newKey()), () => store.put(newKey(), CONTENT, PDF)]) {
        const problem = await failureOf(call()); // a further attempt would succeed
        expectUnavailable(problem, proxy);
      }
    });

    test("a download that is cut short is repeated", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      await store.put(key, CONTENT, PDF);
      proxy.failNext(faults.cutShort);
      expect(await textAt(store, key)).toBe(TEXT);
      proxy.failNext(faults.cutShort);
      expect((await store.digest(key))?.size).toBe(CONTENT.length);
    });

    test("a download that is always cut short fails", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      await store.put(key, CONTENT, PDF);
      proxy.failNext(...Array(10).fill(faults.cutShort));
      expectUnavailable(await failureOf(store.read(key)), proxy);
    });

    test.each([
      ["AccessDenied", 403, /S3_ACCESS_KEY/],
      ["NoSuchBucket", 404, /S3_BUCKET/],
      ["PermanentRedirect", 301, /S3_REGION/],
      ["InvalidObjectState", 403, /InvalidObjectState No\./],
    ])("%s is reported immediately, and the remedy only to the log", async (code, status, remedy) => {
      const { proxy, store } = await openBehindProxy();
      for (const call of [
        () => store.read(newKey()),
        () => store.put(newKey(), CONTENT, PDF),
        () => store.digest(newKey()),
        () => store.list(newKey())[Symbol.asyncIterator]().next(),
        () => store.delete(newKey()),
        () => store.move(newKey(), newKey()),
      ]) {
        proxy.requests.length = 0;
        proxy.failNext(refuse(status, code));
        const problem = await failureOf(call());
        expectUnavailable(problem, proxy);
        expect(String(problem.cause)).toMatch(remedy);
        expect(proxy.requests).toHaveLength(1);
      }
    });

    test.each<[string, Fault]>([
      ["a web page", answerWith(200, PAGE)],
      ["an empty answer", answerWith(200, "", "application/octet-stream")],
      ["another ETag", answerWith(200, "", "application/xml", { etag: `"${"0".repeat(32)}"` })],
      ["JSON", answerWith(200, '{"ok":true}', "application/json")],
    ])(
      "a store that responds 200 to everything, with %s, is not trusted to have a file",
      async (_name, fault) => {
        const { proxy, store } = await openBehindProxy(IMPATIENCE);
        proxy.failAlways(fault);
        for (const call of [
          () => store.put(newKey(), CONTENT, PDF),
          () => store.check("documents"),
          () => store.move(newKey(), newKey()),
          () => store.list("documents/")[Symbol.asyncIterator]().next(),
        ]) {
          expectUnavailable(await failureOf(call()), proxy);
        }
      },
    );

    test("a web page is not accepted as a file or as confirmation of a deletion", async () => {
      const { proxy, store } = await openBehindProxy(IMPATIENCE);
      proxy.failAlways(answerWith(200, PAGE));
      for (const call of [
        () => store.read(newKey()),
        () => store.digest(newKey()),
        () => store.delete(newKey()),
      ]) {
        expectUnavailable(await failureOf(call()), proxy);
      }
    });

    test("a put whose ETag is not an MD5, as with a key service, is read back", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      proxy.failNext(faults.otherEtag);
      await store.put(key, CONTENT, PDF);
      expect(proxy.requests.map(({ method }) => method)).toEqual(["PUT", "GET"]);
      expect(await textAt(store, key)).toBe(TEXT);
    });

    test("a missing bucket is a fault, not a missing file", async () => {
      const gone = { ...settings, bucket: `credentials-${randomUUID()}` };
      const store = await openS3FileStore(gone);
      await openClient().removeBucket(gone.bucket);
      for (const call of [
        () => store.read(newKey()),
        () => store.digest(newKey()),
        () => store.list(newKey())[Symbol.asyncIterator]().next(),
        () => store.move(newKey(), newKey()),
        () => store.put(newKey(), CONTENT, PDF),
      ]) {
        expect(String((await failureOf(call())).cause)).toContain("S3_BUCKET");
      }
    });
  });

  if (!refuses) return;

  describe("an S3 store that verifies what it receives", () => {
    test.each([
      ["secret key", { secretKey: "a-wrong-secret" }],
      ["access key", { accessKey: "test:nobody" }],
    ])("refuses a wrong %s, without revealing the secret", async (_name, change) => {
      const wrong = { ...settings, ...change };
      const problem = await failureOf(openS3FileStore(wrong));
      expect(problem).toMatchObject({ name: "Problem", kind: "failed-precondition" });
      expect(problem.message).toContain(`${settings.bucket} at ${settings.endpoint}`);
      expect(problem.message).toContain("S3_ACCESS_KEY");
      expect(problem.message).not.toContain(wrong.secretKey);
    });

    test("gets a damaged upload again", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      proxy.failNext(faults.corruptUpload);
      await store.put(key, CONTENT, PDF);
      expect(proxy.requests).toHaveLength(2);
      expect(await textAt(store, key)).toBe(TEXT);
    });

    test("stores nothing of an upload that is always damaged", async () => {
      const { proxy, store } = await openBehindProxy();
      const key = newKey();
      proxy.failNext(...Array(10).fill(faults.corruptUpload));
      expectUnavailable(await failureOf(store.put(key, CONTENT, PDF)), proxy);
      expect(await objects(key)).toEqual([]);
    });
  });
}

/** Returns the content as text. Comparing texts is a thousand times faster than comparing bytes. */
async function textAt(store: FileStore | undefined, key: string): Promise<string> {
  return String(await store?.read(key));
}

/** Returns the Problem with which the promise rejects. */
async function failureOf(work: Promise<unknown>): Promise<Problem> {
  const failure = await work.then(
    () => undefined,
    (error) => error,
  );
  expect(failure).toBeInstanceOf(Problem);
  return failure;
}

/** Expects that only the cause, which only the log shows, contains the store's URL. */
function expectUnavailable(problem: Problem, { url }: FaultyProxy): void {
  expect(problem.kind).toBe("unavailable");
  expect(problem.message).toBe("The file store is unavailable; try again later.");
  expect(String(problem.cause)).toContain(url);
}
