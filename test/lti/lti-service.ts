import { ltiOrRefuse } from "#domain/lti/lti.js";
import { acceptPlatform, changeDeploymentState, registerPlatform } from "#domain/lti/manage-registrations.js";
import type { Acceptance } from "#domain/lti/registration.js";
import { given } from "../support/given.js";
import type { TestService } from "../support/service.js";
import { type FakePlatform, type Launch, type Signing, startFakePlatform } from "./fake-platform.js";

export const LTI_SETTINGS = {
  LTI_SECRET: "a secret of LTI that only tests know",
  LTI_ALLOWED_NETWORKS: "127.0.0.0/8",
};

const never = new AbortController().signal;

export async function ltiOf({ app }: TestService) {
  return ltiOrRefuse(await app.openLti());
}

/** Returns a function that starts a platform. The platforms are closed after the tests of the file. */
export function givenPlatforms(service: TestService): () => Promise<FakePlatform> {
  const opened: FakePlatform[] = [];
  given(
    async () => {
      // The first use of the tool's key generates it. On a busy machine, this takes longer than a call waits.
      await (await ltiOf(service)).toolKeys.signing(never);
      return { opened };
    },
    () => Promise.all(opened.map((platform) => platform.close())),
  );
  return async () => {
    const platform = await startFakePlatform();
    opened.push(platform);
    return platform;
  };
}

/**
 * Registers a platform with a service, accepts it, and accepts its deployment `5`.
 * @returns the number of the registration
 */
export async function connect(
  service: TestService,
  platform: FakePlatform,
  acceptance: Partial<Acceptance> = {},
): Promise<number> {
  const { database } = service.app;
  const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl } = platform;
  const settings = { issuer, clientId, name: "", authorizationUrl, tokenUrl, jwksUrl, tokenAudience: "" };
  const id = await registerPlatform(database.knex, settings, "tests");
  await accept(service, id, { rosters: acceptance.connector === undefined ? "listed" : "", ...acceptance });
  await changeDeploymentState(
    database,
    { registrationId: id, deploymentId: "5" },
    "accepted",
    undefined,
    never,
  );
  return id;
}

/** Accepts a platform for the organisation `Uni`. */
export function accept({ app }: TestService, id: number, acceptance: Partial<Acceptance>): Promise<void> {
  const decided: Acceptance = {
    organisations: ["Uni"],
    teacherRole: "viewer",
    connector: "",
    hasColumns: false,
    rosters: "",
    ...acceptance,
  };
  return acceptPlatform(app.database, id, decided, never);
}

/** A browser that keeps the cookies of the service, and follows no redirects. */
export function createBrowser(service: TestService) {
  const cookies = new Map<string, string>();
  async function send(path: string, form?: URLSearchParams, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.httpUrl}${path}`, {
      method: form ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), ...headers },
      ...(form && { body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  return { cookies, send };
}

export type Browser = ReturnType<typeof createBrowser>;

/** Begins a login as a platform does. Stops at the authentication request that the platform receives. */
export async function login(
  service: TestService,
  browser: Browser,
  platform: FakePlatform,
  launch?: Launch,
  method: "GET" | "POST" = "GET",
): Promise<URL> {
  const parameters = platform.loginParameters(service.app.publicUrl, launch);
  const response =
    method === "GET"
      ? await browser.send(`/lti/login?${parameters}`)
      : await browser.send("/lti/login", parameters);
  const location = response.headers.get("location");
  if (response.status !== 302 || location === null)
    throw new Error(`the login was answered with ${response.status}: ${await response.text()}`);
  return new URL(location);
}

/** Performs a whole launch, from the login to the page. */
export async function launch(
  service: TestService,
  platform: FakePlatform,
  what: Launch = {},
  { signing, browser = createBrowser(service) }: { signing?: Signing; browser?: Browser } = {},
) {
  const request = await login(service, browser, platform, what);
  const form = await platform.authorize(request, what, signing);
  const response = await browser.send("/lti/launch", form);
  return { response, page: await response.text(), form, browser };
}
