import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consolePages } from "#edges/console/console.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createRoutes } from "#edges/http/routes.js";
import { createHttpServer, type HttpEdge } from "#edges/http/server.js";
import { givenDirectory } from "../../support/directory.js";

const SCRIPT = `console.log("${"long ".repeat(400)}");`;
const log = pino({ level: "silent" });
const directory = givenDirectory("console");
let server: HttpEdge;
let url: string;

beforeAll(async () => {
  const settings = async () => ({
    platformName: 'The "Example" <Academy>',
    publicUrl: "https://credentials.test",
    hasProvider: false,
    contact: "registrar@credentials.test",
  });
  server = await createHttpServer({
    handlers: [
      createRoutes(
        { clientOf: createClientOf(0), log },
        consolePages({ settings, language: "en", directory: join(directory, "console") }),
      ),
    ],
    host: "127.0.0.1",
    port: 0,
    log,
  });
  url = `http://127.0.0.1:${server.port}`;
});

afterAll(() => server.close(1000));

describe("a service whose console has not been built", () => {
  it("names the command to run", async () => {
    const answer = await fetch(`${url}/console/`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("<code>npm run build</code>");
  });

  it("has no assets", async () => {
    expect((await fetch(`${url}/console/assets/main-1.js`)).status).toBe(404);
  });
});

describe("a built console", () => {
  beforeAll(async () => {
    const assets = join(directory, "console/assets");
    await mkdir(assets, { recursive: true });
    await writeFile(
      join(directory, "console/index.html"),
      '<meta content="{settings}"><script nonce="{nonce}"></script><p lang="{lang}" dir="{dir}">{platform}: {loading}</p>',
    );
    await writeFile(join(assets, "main-1.js"), SCRIPT);
    await writeFile(join(assets, "kept-1.js"), SCRIPT);
    await writeFile(join(assets, "main-1.js.br"), brotliCompressSync(SCRIPT));
    await writeFile(join(directory, "console/secret.txt"), "not an asset");
  });

  it.each(["/console/", "/console/credentials/some-uuid?tab=mail", "/console/no/such/page"])(
    "answers %s with its page",
    async (path) => {
      const answer = await fetch(url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).toContain("<script");
    },
  );

  it("gives the page its settings, escaped", async () => {
    const text = await (await fetch(`${url}/console/`)).text();
    expect(text).toContain("The \\&quot;Example\\&quot; &lt;Academy&gt;");
  });

  it("says in the browser's language that it is loading", async () => {
    const answer = await fetch(`${url}/console/`, { headers: { "accept-language": "ar, de;q=0.5" } });
    expect(await answer.text()).toContain(
      '<p lang="ar" dir="rtl">The &quot;Example&quot; &lt;Academy&gt;: جارٍ التحميل…</p>',
    );
  });

  it("gives each page its own nonce, which its policy names", async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await fetch(`${url}/console/`);
        const [, nonce] = /nonce="([\w-]{22})"/.exec(await answer.text()) ?? [];
        expect(answer.headers.get("content-security-policy")).toContain(`style-src 'self' 'nonce-${nonce}'`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it("has a policy under which only its own scripts run", async () => {
    const { headers } = await fetch(`${url}/console/`);
    const policy = headers.get("content-security-policy")?.replace(/'nonce-[^']+'/, "'nonce-…'");
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-…'; img-src 'self' blob: data:; " +
        "connect-src 'self'; worker-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console frame",
    );
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("sends assets as the build compressed them, to be cached permanently", async () => {
    const answer = await fetch(`${url}/console/assets/main-1.js`, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("content-length")).toBe(String(brotliCompressSync(SCRIPT).length));
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(await answer.text()).toBe(SCRIPT);
    expect(brotliDecompressSync(brotliCompressSync(SCRIPT)).toString()).toBe(SCRIPT);
  });

  it("sends an asset uncompressed if the build has no such coding", async () => {
    const answer = await fetch(`${url}/console/assets/main-1.js`, { headers: { "accept-encoding": "gzip" } });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe(SCRIPT);
  });

  it.each(["gone-2.js", "..%2Fsecret.txt", "../secret.txt", "", "%00"])(
    "has no asset %j, which is not the page either",
    async (name) => {
      const answer = await fetch(`${url}/console/assets/${name.replace("..", "%2e%2e")}`);
      const isPage = answer.headers.get("content-type")?.startsWith("text/html") && answer.status === 200;
      expect(await answer.text()).not.toContain("not an asset");
      expect(isPage && name !== "../secret.txt").toBe(false);
    },
  );

  it("is read again after another build has replaced it", async () => {
    const assets = join(directory, "console/assets");
    await writeFile(join(assets, "unread-1.js"), SCRIPT);
    expect((await fetch(`${url}/console/assets/unread-1.js`)).status).toBe(404);
    await rm(join(assets, "kept-1.js"));
    expect((await fetch(`${url}/console/assets/kept-1.js`)).status).toBe(404);
    expect((await fetch(`${url}/console/assets/unread-1.js`)).status).toBe(200);
  });

  it("leads from /console to /console/", async () => {
    const answer = await fetch(`${url}/console`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "console/"]);
  });

  it("refuses methods that don't read", async () => {
    const answer = await fetch(`${url}/console/`, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it.each(["/console/rpc/learning_credentials.v1.Unknown/Call", "/consoles", "/"])(
    "leaves %s to others",
    async (path) => {
      expect((await fetch(url + path)).status).toBe(404);
    },
  );
});
