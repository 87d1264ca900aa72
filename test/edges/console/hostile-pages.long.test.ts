import { resolve } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { freePort } from "../../support/free-port.js";
import { startTestService, type TestService } from "../../support/service.js";
import { findChromium, launchChromium } from "../pages/chromium.js";

/** Globals for the functions that run in pages, because this program has no types of browsers. */
// biome-ignore lint/suspicious/noExplicitAny: checked by the browser
declare const document: any;
// biome-ignore lint/suspicious/noExplicitAny: checked by the browser
declare const Image: any;
declare const location: { href: string };

const executable = findChromium();
const HOST = "credentials.academy.test";
/** A neighbour of the service that is listed in `CORS_ALLOWED_ORIGINS`. Browsers regard both as the same site. */
const SIBLING = "lms.academy.test";
const EVIL = "evil.test";
/** Replaces a page of the console, because the console's pages exist only after a build. */
const OWN_PAGE = "/console/own-page";
const keys = resolve(import.meta.dirname, "../tls");

const revoke = `${CredentialService.typeName}/${CredentialService.method.revokeDownloadLinks.name}`;
const invalidate = `${CredentialService.typeName}/${CredentialService.method.invalidateCredential.name}`;
const getCaller = `${CallerService.typeName}/${CallerService.method.getCaller.name}`;

describe.skipIf(executable === undefined)("while a member of staff is signed in, in a browser", () => {
  let academy: Academy;
  /** A service on the same data with HTTPS, because cookies are bound to their host only with HTTPS. */
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let port: number;
  let uuid: string;

  beforeAll(async () => {
    port = await freePort(); // chosen in advance, because the public URL contains it
    academy = await openAcademy();
    service = await startTestService({
      beside: academy.service,
      settings: {
        HTTP_PORT: String(port),
        PUBLIC_URL: `https://${HOST}:${port}`,
        TLS_CERT_FILE: resolve(keys, "localhost.crt"),
        TLS_KEY_FILE: resolve(keys, "localhost.key"),
        CORS_ALLOWED_ORIGINS: `https://${SIBLING}`,
      },
    });
    await academy.enrol("ana");
    ({ uuid } = await academy.issue("ana"));
    await academy.generate(uuid);
    browser = await launchChromium(executable ?? "", HOST);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await academy?.service.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    for (const url of [`https://${SIBLING}/**`, `https://${EVIL}/**`, `${origin()}${OWN_PAGE}`]) {
      await context.route(url, (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A page</title>" }),
      );
    }
  });
  afterEach(() => context.close());

  const origin = () => `https://${HOST}:${port}`;

  async function newSecret(username: string): Promise<string> {
    const { database } = academy.service.app;
    const link = await createSignInLink(database.knex, origin(), {
      username,
      roles: ["admin"],
      organisations: [],
      lifetimeS: 600,
    });
    return link.split("=")[1] ?? "";
  }

  /** Opens a page of the service, and signs in like the console. */
  async function signIn(username = "rita"): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin()}${OWN_PAGE}`);
    expect(await post(page, "/console/session", { secret: await newSecret(username) })).toBe(204);
    expect(await whoAmI(page)).toBe(username);
    return page;
  }

  const post = (page: Page, path: string, body: object) =>
    page.evaluate(
      async ([path, body]) => {
        const headers = { "content-type": "application/json" };
        return (await fetch(path as string, { method: "POST", headers, body: JSON.stringify(body) })).status;
      },
      [path, body] as const,
    );

  const whoAmI = (page: Page) =>
    page.evaluate(async (path) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(path, { method: "POST", headers, body: "{}" });
      return answer.ok ? ((await answer.json()) as { username: string }).username : answer.status;
    }, `/console/rpc/${getCaller}`);

  async function stateOf(): Promise<unknown> {
    const { knex } = academy.service.app.database;
    return [
      await knex("credentials").where({ uuid }).first("status", "link_version"),
      (await knex("console_sessions").orderBy("created_at").select("username")).map((row) => row.username),
      await knex("audit_entries").whereLike("method", "%GetDownloadUrl").count(), // how often documents were opened
    ];
  }

  /**
   * Attacks that a page of another origin can try.
   * @returns what the page could read, and what failed
   */
  const attempts: [name: string, run: (page: Page) => Promise<unknown>][] = [
    [
      "a fetch with JSON",
      (page) => fetchFrom(page, { "content-type": "application/json" }, JSON.stringify({ uuid })),
    ],
    ["a fetch that needs no preflight", (page) => fetchFrom(page, { "content-type": "text/plain" }, "{}")],
    [
      "a fetch without CORS",
      (page) => fetchFrom(page, { "content-type": "text/plain" }, JSON.stringify({ uuid }), "no-cors"),
    ],
    ["a form", (page) => submit(page, `/console/rpc/${revoke}`, { uuid })],
    ["a form to sign out", (page) => submit(page, "/console/session", {})],
    ["a form for a document", (page) => submit(page, `/console/documents/${uuid}`, {})],
    ["a fetch of a document", fetchDocument],
    ["a frame with a document", frameDocument],
    [
      "an image",
      (page) =>
        page.evaluate(
          (source) =>
            new Promise((resolve) => {
              const image = new Image();
              image.onload = () => resolve("loaded");
              image.onerror = () => resolve("failed");
              image.src = source;
            }),
          `${origin()}/console/rpc/${getCaller}?connect=v1&encoding=json&message=%7B%7D`,
        ),
    ],
    [
      "a script",
      (page) =>
        page.evaluate(
          (source) =>
            new Promise((resolve) => {
              const script = document.createElement("script");
              script.onload = () => resolve("loaded");
              script.onerror = () => resolve("failed");
              script.src = source;
              document.head.append(script);
            }),
          `${origin()}/console/rpc/${getCaller}?connect=v1&encoding=json&message=%7B%7D`,
        ),
    ],
    [
      "a frame",
      async (page) => {
        await page.evaluate((source) => {
          const frame = document.createElement("iframe");
          frame.src = source;
          document.body.append(frame);
          return new Promise((resolve) => {
            frame.onload = () => resolve(undefined);
          });
        }, `${origin()}/console/`);
        const [frame] = page.frames().slice(1);
        const shown = await frame?.evaluate(() => document.body?.innerText ?? "").catch(() => "blocked");
        expect(shown).not.toMatch(/Learning Credentials|console is not built/i);
        return shown;
      },
    ],
  ];

  async function fetchFrom(page: Page, headers: object, body: string, mode = "cors"): Promise<unknown> {
    const paths = [`/console/rpc/${revoke}`, `/console/rpc/${invalidate}`, `/${revoke}`];
    const answers = await page.evaluate(
      ([origin, paths, headers, body, mode]) =>
        Promise.all(
          paths.map((path) =>
            fetch(`${origin}${path}`, {
              method: "POST",
              credentials: "include",
              mode: mode as "cors" | "no-cors",
              headers: headers as Record<string, string>,
              body,
            }).then(
              (answer) => (answer.type === "opaque" ? "opaque" : answer.status),
              () => "failed",
            ),
          ),
        ),
      [origin(), paths, headers, body, mode] as const,
    );
    for (const answer of answers) expect(["failed", "opaque", 401, 403, 415]).toContain(answer);
    return answers;
  }

  async function fetchDocument(page: Page): Promise<unknown> {
    const seen = await page.evaluate(
      (url) =>
        Promise.all(
          (["cors", "no-cors"] as const).map((mode) =>
            fetch(url, { method: "POST", credentials: "include", mode }).then(
              (answer) => answer.type,
              () => "failed",
            ),
          ),
        ),
      `${origin()}/console/documents/${uuid}`,
    );
    expect(seen).toEqual(["failed", "failed"]);
    return seen;
  }

  async function frameDocument(page: Page): Promise<unknown> {
    await page.evaluate((source) => {
      const frame = document.createElement("iframe");
      frame.src = source;
      document.body.append(frame);
      return new Promise((resolve) => {
        frame.onload = () => resolve(undefined);
      });
    }, `${origin()}/console/documents/${uuid}`);
    const [frame] = page.frames().slice(1);
    expect(await frame?.evaluate(() => document.contentType).catch(() => "blocked")).not.toContain("pdf");
    return undefined;
  }

  async function submit(page: Page, path: string, fields: Record<string, string>): Promise<unknown> {
    const answered = page.waitForResponse((response) => response.url() === `${origin()}${path}`);
    await page.evaluate(
      ([action, fields]) => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = action as string;
        form.enctype = "text/plain";
        for (const [name, value] of Object.entries(fields as object)) {
          const input = document.createElement("input");
          Object.assign(input, { name, value });
          form.append(input);
        }
        document.body.append(form);
        form.submit();
      },
      [`${origin()}${path}`, fields] as const,
    );
    expect((await answered).status()).toBe(403);
    return undefined;
  }

  describe.each([
    ["a sibling host with a CORS grant", SIBLING],
    ["another site", EVIL],
  ])("%s", (_, host) => {
    test.each(attempts)("does nothing by %s", async (_, attempt) => {
      const own = await signIn();
      const before = await stateOf();
      const page = await context.newPage();
      await page.goto(`https://${host}/`);
      await attempt(page);
      expect(await stateOf()).toEqual(before);
      expect(await whoAmI(own)).toBe("rita");
    });

    test("can't sign its visitor in under a name of its own", async () => {
      const own = await signIn();
      const page = await context.newPage();
      await page.goto(`https://${host}/`);
      const secret = await newSecret("mallory");
      const answer = await page.evaluate(
        ([url, body]) =>
          Promise.all(
            ["application/json", "text/plain"].map((type) =>
              fetch(url, {
                method: "POST",
                credentials: "include",
                headers: { "content-type": type },
                body,
              }).then(
                ({ status }) => status,
                () => "failed",
              ),
            ),
          ),
        [`${origin()}/console/session`, JSON.stringify({ secret })] as const,
      );
      expect(answer).toEqual(["failed", "failed"]);
      await submit(page, "/console/session", { '{"secret":"': `${secret}"}` });
      expect(await whoAmI(own)).toBe("rita");
    });

    test("can't plant a valid cookie", async () => {
      const page = await context.newPage();
      await page.goto(`https://${host}/`);
      await page.evaluate((name) => {
        for (const more of ["", "; domain=academy.test", "; path=/console"]) {
          document.cookie = `${name}=planted; Secure; SameSite=None${more}`;
        }
      }, "__Host-lc_console");
      const cookies = await context.cookies(origin());
      expect(cookies.filter(({ name }) => name === "__Host-lc_console")).toEqual([]);
    });
  });

  test("a page's scripts can't read the cookie, and a link from elsewhere keeps its visitor signed in", async () => {
    const own = await signIn();
    expect(await own.evaluate(() => document.cookie)).toBe("");
    const [cookie] = await context.cookies(origin());
    expect(cookie).toMatchObject({
      name: "__Host-lc_console",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
      path: "/",
    });
    const page = await context.newPage();
    await page.goto(`https://${EVIL}/`);
    const arrived = page.waitForURL(`${origin()}${OWN_PAGE}`);
    await page.evaluate((url) => {
      location.href = url;
    }, `${origin()}${OWN_PAGE}`);
    await arrived;
    expect(await whoAmI(page)).toBe("rita");
  });

  test("a page of the console gets a document", async () => {
    const own = await signIn();
    const read = await own.evaluate(async (path) => {
      const answer = await fetch(path, { method: "POST" });
      return [answer.status, answer.headers.get("content-type"), (await answer.text()).slice(0, 5)];
    }, `/console/documents/${uuid}`);
    expect(read).toEqual([200, "application/pdf", "%PDF-"]);
  });

  test("a used link signs nobody in again", async () => {
    const page = await context.newPage();
    await page.goto(`${origin()}${OWN_PAGE}`);
    const secret = await newSecret("rita");
    expect(await post(page, "/console/session", { secret })).toBe(204);
    expect(await post(page, "/console/session", { secret })).toBe(403);
  });
});
