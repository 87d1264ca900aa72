import { SignJWT } from "jose";
import { describe, expect, it, vi } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { queryRows, queryValue } from "#infrastructure/db/query.js";
import { READ_SCOPE, WRITE_SCOPE } from "#infrastructure/identity/claims.js";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import { createChance } from "../soak/chance.js";
import { given } from "../support/given.js";
import { givenService, JWT_SECRET, tokenOf } from "../support/service.js";
import { type Launch, startFakePlatform } from "./fake-platform.js";
import { connect, createBrowser, LTI_SETTINGS, launch, login } from "./lti-service.js";

vi.setConfig({ testTimeout: 120_000 });

const P = "https://purl.imsglobal.org/spec/lti/claim/";
const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership";
const INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person";

const service = givenService({ settings: LTI_SETTINGS });
const at = given(
  async () => {
    const platform = await startFakePlatform();
    const id = await connect(service, platform, { teacherRole: "designer" });
    return { platform, id };
  },
  ({ platform }) => platform.close(),
);

/** Describes what a response shows to the person who receives it. */
function givenBy(status: number, page: string): string {
  if (status >= 500) return `a fault (${status})`;
  if (page.includes("#sign-in=")) return "the console";
  if (page.includes("Your credentials in this course")) return "a learner's page";
  return status >= 400 ? "a refusal" : "nothing";
}

async function launched(what: Launch): Promise<string> {
  const { response, page } = await launch(service, at.platform, what);
  return givenBy(response.status, page);
}

/** Tries all cases, a few at a time. Returns the outcomes by the name of the case. */
async function outcomes<T>(
  cases: readonly (readonly [string, T])[],
  outcomeOf: (one: T) => Promise<string>,
): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  const left = [...cases];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) all[next[0]] = await outcomeOf(next[1]);
  };
  await Promise.all([1, 2, 3, 4].map(work));
  expect(Object.keys(all).length, "cases have names of their own").toBe(cases.length);
  return all;
}

/** Returns the cases with another outcome than expected. */
const others = (all: Record<string, string>, expected: RegExp) =>
  Object.entries(all).filter(([, outcome]) => !expected.test(outcome));

describe("roles", () => {
  const ALMOST = [
    `${MEMBERSHIP}#instructor`,
    `${MEMBERSHIP}#Instructor `,
    `${MEMBERSHIP}#Instructor#`,
    `${MEMBERSHIP}#Instructors`,
    `${MEMBERSHIP}/Instructor`,
    `${MEMBERSHIP}/Instructor#Instructor`,
    `${MEMBERSHIP}/Instructor#Grader`,
    `${MEMBERSHIP}/Instructor#GuestInstructor`,
    `${MEMBERSHIP}/Learner#Instructor`,
    `${MEMBERSHIP}/Learner#Unknown`,
    `${MEMBERSHIP}#Mentor`,
    `${MEMBERSHIP}#ContentDeveloper`,
    `${MEMBERSHIP}#Manager`,
    `${MEMBERSHIP}#Officer`,
    "https://purl.imsglobal.org/vocab/lis/v2/membership#Instructor",
    "http://purl.imsglobal.org.evil.example/vocab/lis/v2/membership#Instructor",
    "http://evil.example/#Instructor",
    "http://evil.example/#Learner",
    "urn:lti:role:ims/lis/Instructor",
    "urn:lti:instrole:ims/lis/Administrator",
    `${INSTITUTION}#Instructor`,
    `${INSTITUTION}#Administrator`,
    `${INSTITUTION}#Learner`,
    "http://purl.imsglobal.org/vocab/lis/v2/system/person#SysAdmin",
    "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",
    ":Instructor",
    "constructor:",
    "__proto__:",
    "INSTRUCTOR:",
    "Inst\u0000ructor:",
  ];
  const chance = createChance("roles", 4);
  const ASSISTANTS = [
    "TeachingAssistant",
    "teachingassistant",
    "TeachingAssistantSection",
    `${MEMBERSHIP}/Instructor#TeachingAssistant`,
    `${MEMBERSHIP}#TeachingAssistantGroup`,
    `${MEMBERSHIP}/TeachingAssistant#TeachingAssistantOffering`,
  ];

  it("that resemble a teacher's, or an assistant's, give no access", async () => {
    const lists: [string, unknown[]][] = [
      ...ALMOST.map((role): [string, unknown[]] => [role, [role]]),
      ...Array.from({ length: 24 }, (_, index): [string, unknown[]] => [
        `${index} of them`,
        Array.from({ length: 1 + chance.below(6) }, () => chance.pick(ALMOST)),
      ]),
      ...ASSISTANTS.flatMap((assistant): [string, unknown[]][] => [
        [`${assistant}, Instructor`, [assistant, "Instructor"]],
        [`Instructor, ${assistant}`, [`${MEMBERSHIP}#Instructor`, assistant]],
      ]),
      ["lists", [["Instructor"], [`${MEMBERSHIP}#Instructor`]]],
      ["objects", [{ role: "Instructor" }, { toString: "Instructor" }]],
      ["values", [true, 1, null, 0, { length: 1 }]],
      ["100 of them", Array.from({ length: 100 }, () => `${MEMBERSHIP}#Mentor`)],
    ];
    const all = await outcomes(lists, (roles) =>
      launched({ sub: "almost", claims: { [`${P}roles`]: roles } }),
    );
    expect(others(all, /^nothing$/)).toEqual([]);
    expect(Object.keys(all).length).toBeGreaterThan(60);
  });

  it.each(["ExternalLearner", "GuestLearner", "Learner", "NonCreditLearner"])(
    "of a learner that come alone make a learner: %s",
    async (kind) => {
      expect(await launched({ sub: kind, roles: [`${MEMBERSHIP}/Learner#${kind}`] })).toBe(
        "a learner's page",
      );
    },
  );
});

describe("characters that no database can store and nobody can read", () => {
  const BAD: readonly (readonly [string, unknown])[] = [
    ["NUL", "a\0b"],
    ["only NUL", "\0"],
    ["half a character", "a\ud800b"],
    ["the other half", "\udfff"],
    ["a line break", "a\r\nSet-Cookie: a=b"],
    ["an escape", "\u001b[2J\u009b"],
    ["300 characters", "x".repeat(300)],
    ["9,000 characters", "x".repeat(9_000)],
  ];
  const TEXTS: readonly (readonly [string, (bad: unknown) => Launch])[] = [
    ["name", (bad) => ({ claims: { name: bad } })],
    ["given_name", (bad) => ({ claims: { name: undefined, given_name: bad } })],
    ["email", (bad) => ({ claims: { email: bad } })],
    ["locale", (bad) => ({ claims: { locale: bad } })],
    ["preferred_username", (bad) => ({ claims: { preferred_username: bad } })],
    ["return_url", (bad) => ({ claims: { [`${P}launch_presentation`]: { return_url: bad, locale: bad } } })],
    ["label", (bad) => ({ context: { id: "2", label: bad as string, title: "Astronomy" } })],
    ["title", (bad) => ({ context: { id: "2", label: "AST101", title: bad as string } })],
    ["canvas_user_id", (bad) => ({ claims: { "https://www.instructure.com/canvas_user_id": bad } })],
    ["canvas_course_id", (bad) => ({ claims: { "https://www.instructure.com/canvas_course_id": bad } })],
    [
      "addresses of services",
      (bad) => ({
        claims: {
          "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": { scope: [bad], lineitems: bad },
          "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
            context_memberships_url: bad,
          },
        },
      }),
    ],
  ];
  const IDS: readonly (readonly [string, (bad: unknown) => Launch])[] = [
    ["deployment_id", (bad) => ({ claims: { [`${P}deployment_id`]: bad } })],
    ["context.id", (bad) => ({ claims: { [`${P}context`]: { id: bad, label: "A" } } })],
    ["sub", (bad) => ({ claims: { sub: bad } })],
  ];
  const crossed = (fields: typeof TEXTS) =>
    fields.flatMap(([field, launchOf]) =>
      BAD.map(([what, bad]) => [`${field}: ${what}`, launchOf(bad)] as const),
    );

  it("in a text of a launch cause no fault", async () => {
    const all = await outcomes(crossed(TEXTS), (what) => launched({ sub: "texts", ...what }));
    expect(others(all, /^(a learner's page|a refusal|nothing)$/)).toEqual([]);
    const [learner] = await queryRows<{ fullName: string; email: string }>(
      service.app.database.knex,
      `select full_name as "fullName", email from learners where username = ?`,
      [`lti:${at.id}:texts`],
    );
    expect(`${learner?.fullName}${learner?.email}`).not.toMatch(/\p{Cc}|\p{Cs}/u);
  });

  it("in an id of a launch are refused, and stored nowhere", async () => {
    const count = () =>
      queryValue<number>(
        service.app.database.knex,
        `select (select count(*) from lti_deployments) + (select count(*) from lti_contexts)
           + (select count(*) from lti_people)::integer as count`,
      );
    await launched({});
    const before = await count();
    // Subjects that are too long for a username are hashed.
    const cases = crossed(IDS).filter(([name]) => !/^(sub: (300|9,000)|sub: .*half)/.test(name));
    const all = await outcomes(cases, launched);
    expect(others(all, /^(a refusal|nothing)$/)).toEqual([]);
    expect(await count()).toBe(before);
  });

  it("in a parameter of a login are refused", async () => {
    const names = ["iss", "login_hint", "target_link_uri", "client_id", "lti_storage_target"];
    const cases = names.flatMap((name) =>
      BAD.filter(([what]) => !/half|characters/.test(what)).map(
        ([what, bad]) => [`${name}: ${what}`, { name, bad: String(bad) }] as const,
      ),
    );
    const all = await outcomes(cases, async ({ name, bad }) => {
      const parameters = at.platform.loginParameters("https://credentials.test");
      parameters.set(name, bad);
      const response = await createBrowser(service).send(`/lti/login?${parameters}`);
      return `${response.status}`;
    });
    expect(others(all, /^4\d\d$/)).toEqual([]);
  });

  it("in the response to a registration leave nothing behind, and the link unchanged", async () => {
    const client = service.client(LtiService, await tokenOf({ username: "lms", service: "write" }));
    const { url } = await client.createLtiInvitation({});
    const tool = "https://purl.imsglobal.org/spec/lti-tool-configuration";
    const bodies: [string, unknown][] = [
      ...BAD.map(([what, bad]): [string, unknown] => [`client_id: ${what}`, { client_id: bad }]),
      ...BAD.map(([what, bad]): [string, unknown] => [
        `deployment_id: ${what}`,
        { client_id: "a client", [tool]: { deployment_id: bad } },
      ]),
      ["no client", {}],
      ["an object", { client_id: { a: 1 } }],
      ["a list", [{ client_id: "a" }]],
      ["a deployment that is an object", { client_id: "a", [tool]: { deployment_id: {} } }],
      ["a tool that is a text", { client_id: "a", [tool]: "deployment_id" }],
    ];
    const platform = await startFakePlatform();
    const count = () =>
      queryValue<number>(
        service.app.database.knex,
        "select count(*)::integer as count from lti_registrations where issuer = ?",
        [platform.issuer],
      );
    const form = new URL(url).searchParams;
    form.set("openid_configuration", platform.configurationUrl);
    form.set("registration_token", "the registration token");
    for (const [name, body] of bodies) {
      platform.impostors.set("/register", (_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
      const response = await createBrowser(service).send("/lti/register", form);
      expect([name, response.status, await count()]).toEqual([name, 400, 0]);
    }
    platform.impostors.clear();
    expect((await createBrowser(service).send("/lti/register", form)).status).toBe(200);
    expect(await count()).toBe(1);
    await platform.close();
  });
});

describe("a launch from another browser than the one that started it", () => {
  const SITES: readonly (readonly [string, Record<string, string>])[] = [
    ["a page of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["a neighbour", { origin: "https://evil.credentials.test", "sec-fetch-site": "same-site" }],
    ["a page without an origin", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["a page that says it is ours", { origin: "https://credentials.test", "sec-fetch-site": "cross-site" }],
    ["a page at another port", { origin: "https://credentials.test:8443" }],
    ["a page without TLS", { origin: "http://credentials.test" }],
    ["an old browser, elsewhere", { origin: "https://evil.example" }],
    ["an old browser that says nothing", {}],
    ["a link that was typed", { "sec-fetch-site": "none" }],
    ["two words", { "sec-fetch-site": "same-origin, cross-site" }],
    ["a page of the platform", { origin: "PLATFORM", "sec-fetch-site": "cross-site" }],
  ];

  /** Performs the attacker's own login and launch. The form contains the launch's secret. */
  async function foreign(what: Launch, hasStorage: boolean) {
    const attacker = createBrowser(service);
    const parameters = at.platform.loginParameters("https://credentials.test", what);
    if (hasStorage) parameters.set("lti_storage_target", "_parent");
    const response = await attacker.send(`/lti/login?${parameters}`);
    const location =
      response.headers.get("location") ??
      /data-location="([^"]+)"|href="([^"]*\/auth\?[^"]*)"/
        .exec(await response.text())
        ?.slice(1)
        .find(Boolean);
    const request = new URL((location ?? "").replaceAll("&amp;", "&"));
    const form = await at.platform.authorize(request, what);
    form.set("browser", [...attacker.cookies.values()][0] ?? "");
    return form;
  }

  const cases = SITES.flatMap(([site, headers]) =>
    [true, false].flatMap((hasStorage) =>
      [["Learner"], ["Instructor"]].map(
        (roles) =>
          [
            `${site}, ${hasStorage ? "with" : "without"} storage, ${roles}`,
            { headers, hasStorage, roles },
          ] as const,
      ),
    ),
  );

  it("shows no learner's page, whatever its form contains", async () => {
    const all = await outcomes(cases, async ({ headers, hasStorage, roles }) => {
      const form = await foreign({ sub: "mallory", roles }, hasStorage);
      const sent = { ...headers, ...(headers.origin === "PLATFORM" && { origin: at.platform.url }) };
      const response = await createBrowser(service).send("/lti/launch", form, sent);
      return givenBy(response.status, await response.text());
    });
    expect(others(all, /^(a refusal|nothing)$/)).toEqual([]);
    expect(cases.length).toBe(44);
  });

  it("without a storage of the platform, is refused even from our own page; with one, it is accepted", async () => {
    const sent = { "sec-fetch-site": "same-origin", origin: "https://credentials.test" };
    for (const [hasStorage, expected] of [
      [false, "a refusal"],
      [true, "a learner's page"],
    ] as const) {
      const form = await foreign({ sub: "storage" }, hasStorage);
      const response = await createBrowser(service).send("/lti/launch", form, sent);
      expect(givenBy(response.status, await response.text())).toBe(expected);
    }
  });

  const WORDS = [
    "Call 0900-123456 and tell us your password",
    "<script>alert(1)</script>",
    "Your account is closed: visit evil.example",
    "%s%n {link}",
    "\u202egnp.exe",
  ];

  it.each(WORDS)("does not show the sender's words: %s", async (words) => {
    const state = (await login(service, createBrowser(service), at.platform)).searchParams.get("state") ?? "";
    const victim = createBrowser(service);
    await login(service, victim, at.platform);
    for (const form of [
      { state, error: "access_denied", error_description: words },
      { state, error: words },
      { state, error: words, browser: "guessed" },
      { state, error: "login_required", error_description: words },
    ]) {
      const response = await victim.send("/lti/launch", new URLSearchParams(form));
      const page = await response.text();
      expect(response.status).toBe(403);
      for (const word of words.split(/\s+/).filter((one) => one.length > 6)) expect(page).not.toContain(word);
    }
  });
});

describe("usernames derived from platforms", () => {
  const NAMES = ["lti:1:vic", "lti:", "lti:2:vic", "lti:1", "lti:1:vic ", "lti::", "lti:x:y", "lti:1:😀"];
  const sign = (claims: object) =>
    new SignJWT({ iss: "any", aud: "any", ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(Buffer.from(JWT_SECRET));
  const KINDS: readonly (readonly [string, (name: string) => object])[] = [
    ["preferred_username", (name) => ({ sub: "42", preferred_username: name })],
    ["username", (name) => ({ sub: "42", username: name })],
    ["sub", (name) => ({ sub: name })],
    ["staff", (name) => ({ sub: "42", preferred_username: name, administrator: true })],
    ["a service", (name) => ({ sub: "42", preferred_username: name, scope: WRITE_SCOPE })],
    ["a reader", (name) => ({ sub: "42", preferred_username: name, scopes: [READ_SCOPE] })],
  ];

  it("can't be used by any token", async () => {
    const cases = KINDS.flatMap(([kind, claimsOf]) =>
      NAMES.map((name) => [`${kind} ${name}`, claimsOf(name)] as const),
    );
    const all = await outcomes(cases, async (claims) => {
      const client = service.client(CredentialService, await sign(claims));
      return client.listMyCredentials({}).then(
        () => "let in",
        (error) => String(error),
      );
    });
    expect(others(all, /unauthenticated.*are reserved for users of LTI platforms/)).toEqual([]);
    expect(cases.length).toBe(48);
  });

  it.each(NAMES)(
    "no command mints, no staff's link lets in, no record of others describes: %s",
    async (name) => {
      await expect(tokenOf({ username: name })).rejects.toThrow(/no token can have it/);
      await expect(
        createSignInLink(service.app.database.knex, "https://credentials.test", {
          username: name,
          roles: [],
          organisations: [],
          lifetimeS: 60,
        }),
      ).rejects.toThrow(/who can only sign in from their platform/);
      const records = service.client(
        LearnerRecordService,
        await tokenOf({ username: "lms", service: "write" }),
      );
      const written = await records
        .upsertRecords({
          records: [{ kind: { case: "learner", value: { username: name, fullName: "Vic" } } }],
        })
        .then(
          (answer) => JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
          String,
        );
      expect(written).toContain("are reserved for users of LTI platforms");
      const renamed = records.renameLearners({ renames: [{ username: "vic", newUsername: name }] });
      await expect(renamed).rejects.toThrow(/are reserved for users of LTI platforms/);
      const known = await queryRows(
        service.app.database.knex,
        "select from learners where username = ? and owner = 'api'",
        [name],
      );
      expect(known).toEqual([]);
    },
  );
});

describe("addresses with a user name", () => {
  const ADDRESSES = [
    "https://harbour.example@evil.example/",
    "https://u:p@evil.example/",
    "https://:p@evil.example/",
    "https://u:@evil.example/",
    "https://@evil.example/",
  ];

  it.each(ADDRESSES)("are refused wherever they are sent: %s", async (address) => {
    const token = await tokenOf({ username: "lms", service: "write" });
    const lti = service.client(LtiService, token);
    const good = "https://lms.example.org/";
    const settings = {
      issuer: "https://lms.example.org",
      clientId: "c",
      authorizationUrl: good,
      tokenUrl: good,
      jwksUrl: good,
    };
    for (const field of ["authorizationUrl", "tokenUrl", "jwksUrl"])
      await expect(lti.createLtiPlatform({ settings: { ...settings, [field]: address } })).rejects.toThrow(
        /must be a URL/,
      );
    await expect(
      service.client(WebhookService, token).createWebhookEndpoint({ endpoint: { url: address } } as object),
    ).rejects.toThrow(/invalid_argument/);
    const claims = {
      [`${P}message_type`]: "LtiDeepLinkingRequest",
      "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings": {
        deep_link_return_url: address,
        accept_types: ["ltiResourceLink"],
      },
    };
    expect(await launched({ sub: "t", roles: ["Instructor"], claims })).toBe("a refusal");
    const context = { id: `with user ${address}` };
    await launched({
      sub: "t",
      context,
      claims: {
        "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
          scope: ["lineitem", "score"].map(
            (scope) => `https://purl.imsglobal.org/spec/lti-ags/scope/${scope}`,
          ),
          lineitems: address,
        },
        "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
          context_memberships_url: address,
        },
      },
    });
    const [stored] = await queryRows(
      service.app.database.knex,
      "select memberships_url, line_items_url from lti_contexts where context_id = ?",
      [context.id],
    );
    expect(stored).toEqual({ memberships_url: "", line_items_url: "" });
  });
});
