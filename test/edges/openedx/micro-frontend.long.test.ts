import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inSeconds } from "../../contract/callers.js";
import { importContractData, issued, MATHS } from "../../contract/contract-data.js";
import { forge, withKey } from "../../identity/forge.js";
import { publicJwk } from "../../identity/jwks-server.js";
import { givenDirectory } from "../../support/directory.js";
import { givenService } from "../../support/service.js";
import { findChromium, launchChromium } from "../pages/chromium.js";

/** Long enough to download the packages of the micro-frontend. */
const PATIENCE_MS = 300_000;
const LMS = "lms.example.test";
const APPS = "apps.lms.example.test";
const ISSUER = `https://${LMS}/oauth2`;

/** The code of a micro-frontend that uses the library shared by all of them. */
const CLIENT = `
import { camelCaseObject } from "@edx/frontend-platform/utils";
import { AxiosJwtAuthService, configure, getAuthenticatedHttpClient } from "@edx/frontend-platform/auth";

window.configureFor = (lms) =>
  configure(AxiosJwtAuthService, {
    loggingService: { logInfo() {}, logError() {} },
    config: {
      BASE_URL: location.origin,
      LMS_BASE_URL: lms,
      LOGIN_URL: lms + "/login",
      LOGOUT_URL: lms + "/logout",
      REFRESH_ACCESS_TOKEN_API_PATH: "/login_refresh",
      ACCESS_TOKEN_COOKIE_NAME: "edx-jwt-cookie-header-payload",
      CSRF_TOKEN_API_PATH: "/csrf/api/v1/token",
    },
  });
window.ask = async (url) => {
  try {
    return camelCaseObject((await getAuthenticatedHttpClient().get(url)).data);
  } catch (error) {
    return String(error.message);
  }
};
`;

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const listed = createServer();
const unlisted = createServer();
const originOf = (server: Server) => `http://${APPS}:${(server.address() as AddressInfo).port}`;
await Promise.all([listed, unlisted].map((server) => once(server.listen(0, "127.0.0.1"), "listening")));

const chromium = findChromium();
const directory = givenDirectory("micro-frontend");
const service = givenService({
  settings: {
    // As rendered by Tutor: the key has the ID "openedx", and the audience has the same name.
    AUTH_JWKS: JSON.stringify({ keys: [publicJwk(rsa.publicKey, { kid: "openedx" })] }),
    AUTH_JWT_ISSUER: ISSUER,
    AUTH_JWT_AUDIENCE: "openedx",
    CORS_ALLOWED_ORIGINS: originOf(listed),
  },
});
let browser: Browser;

beforeAll(async () => {
  if (!chromium) return;
  await importContractData(service);
  await writeFile(join(directory, "package.json"), "{}");
  await promisify(execFile)(
    "npm",
    [
      ...["install", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
      ...["@edx/frontend-platform@8.7.1", "prop-types@15"],
    ],
    { cwd: directory, timeout: PATIENCE_MS },
  );
  await writeFile(join(directory, "client.js"), CLIENT);
  const { outputFiles } = await build({
    entryPoints: [join(directory, "client.js")],
    bundle: true,
    write: false,
    define: { "process.env.NODE_ENV": '"production"', global: "window" },
    logLevel: "error",
  });
  for (const server of [listed, unlisted]) {
    server.on("request", ({ url }, response) => {
      const isScript = url === "/client.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? outputFiles[0]?.text : '<!doctype html><script src="/client.js"></script>');
    });
  }
  browser = await launchChromium(chromium, LMS, APPS);
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  for (const server of [listed, unlisted]) server.close().closeAllConnections();
});

describe.skipIf(!chromium)("a micro-frontend of Open edX on its own host", () => {
  const lms = () => service.httpUrl.replace("127.0.0.1", LMS);
  const url = (path: string) => `${lms()}/api/learning_credentials/v1/${path}/`;

  async function open(server: Server): Promise<Page> {
    const context = await browser.newContext();
    const [header, payload, signature] = tokenOfLms("ana").split(".");
    const cookie = { domain: `.${LMS}`, path: "/" };
    await context.addCookies([
      { ...cookie, name: "edx-jwt-cookie-header-payload", value: `${header}.${payload}` },
      { ...cookie, name: "edx-jwt-cookie-signature", value: signature ?? "", httpOnly: true },
    ]);
    const page = await context.newPage();
    await page.goto(originOf(server));
    await page.evaluate(`configureFor(${JSON.stringify(lms())})`);
    return page;
  }
  const request = (page: Page, path: string) => page.evaluate(`ask(${JSON.stringify(url(path))})`);

  test("is treated as the learner who is signed in to the LMS", async () => {
    const page = await open(listed);
    const key = encodeURIComponent(MATHS);
    expect(await request(page, `configured/${key}`)).toMatchObject({
      hasCredentials: true,
      credentialCount: 2,
    });
    expect(await request(page, `eligibility/${key}`)).toMatchObject({
      contextKey: MATHS,
      credentials: [{ isEligible: expect.any(Boolean) }, {}],
    });
  });

  test("reads public routes with the same client, which always sends cookies", async () => {
    expect(await request(await open(listed), `metadata/${issued.AVAILABLE.verifyUuid}`)).toMatchObject({
      userFullName: issued.AVAILABLE.fullName,
    });
  });

  test("is refused by the browser if its origin is not listed", async () => {
    const page = await open(unlisted);
    expect(await request(page, `configured/${encodeURIComponent(MATHS)}`)).toMatch(
      /^Axios Error \(Request\)/,
    );
    expect(await request(page, `metadata/${issued.AVAILABLE.verifyUuid}`)).toMatch(
      /^Axios Error \(Request\)/,
    );
  });
});

/** Returns a token with the claims that openedx-platform's `create_jwt_from_token` puts in its cookies. */
function tokenOfLms(username: string): string {
  const claims = {
    aud: "openedx",
    exp: inSeconds(3600),
    grant_type: "password",
    iat: inSeconds(-1),
    iss: ISSUER,
    preferred_username: username,
    scopes: ["user_id", "email", "profile"],
    version: "1.2.0",
    sub: "b0a8",
    filters: ["user:me"],
    is_restricted: false,
    email_verified: true,
    name: "Ana Kovač",
    administrator: false,
    superuser: false,
  };
  return forge({ alg: "RS512", typ: "JWT", kid: "openedx" }, claims, withKey(rsa.privateKey, 512));
}
