import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  ConfigError,
  readConfig,
  readDatabaseConfig,
  readServiceConfig,
  settingNames,
} from "#runtime/settings/config.js";
import { secretNames } from "#runtime/settings/read-secret-files.js";
import { givenDirectory, leaveOwnData } from "../support/directory.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const GIVEN = {
  DATABASE_URL: "postgres://me@db/credentials",
  AUTH_JWT_SECRET: SECRET,
  AUTH_JWT_ISSUER: "https://lms.test/oauth2",
  AUTH_JWT_AUDIENCE: "credentials",
  PUBLIC_URL: "https://credentials.test",
  URL_SIGNING_SECRET: SECRET,
};

beforeEach(() => leaveOwnData("config"));

/** Returns the lines of the error message without the last line, which states the remedy. */
function problems(variables: Record<string, string>, read: typeof readConfig = readConfig): string[] {
  try {
    read(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split("\n").slice(0, -1);
  }
  return [];
}

test("the defaults are those of the contract and the design", () => {
  expect(readConfig({})).toEqual({
    shownSettings: new Map(),
    outputDir: "learning_credentials",
    customDomain: undefined,
    nameUppercase: false,
    dateUppercase: false,
    dateCharSpace: 0,
    dateFormat: undefined,
    platformName: "Learning Credentials",
    timeZone: "UTC",
    language: "en",
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseOwnerUrl: undefined,
    databasePoolSize: undefined,
    dataDir: ".data",
    host: "127.0.0.1",
    httpPort: 8080,
    grpcPort: 50051,
    plugins: [],
    publicUrl: undefined,
    isPublicHttps: false,
    securityContacts: [],
    apiDocs: true,
    corsAllowedOrigins: [],
    publicRateLimit: 600,
    publicCacheSeconds: 0,
    maxConcurrentCalls: 1000,
    trustedProxies: 0,
    s3: undefined,
    urlSigningSecrets: [],
    webhookSecrets: [],
    webhookAllowedNetworks: [],
    ltiSecrets: [],
    settingsSecrets: [],
    settingsAllowedNetworks: [],
    connectorsAllowedNetworks: [],
    ltiAllowedNetworks: [],
    signsBadges: true,
    signingKeyFiles: [],
    auth: {
      secrets: [],
      jwksUrl: undefined,
      issuer: undefined,
      audience: undefined,
      maxLifetime: 2_592_000,
      pinSubject: true,
      platformWorkers: [],
    },
    issuerProfile: {},
    seal: undefined,
    timestamps: { level: "best-effort", urls: [], caFile: undefined },
    issuers: new Map(),
    smtpUrl: undefined,
    mailFrom: { address: "no-reply@localhost" },
    auditRetentionDays: 365,
    eventRetentionDays: 0,
    adminHost: "127.0.0.1",
    adminPort: undefined,
    shutdownDelay: 0,
    tls: undefined,
    traceEndpoint: undefined,
    logLevel: undefined,
  });
});

test("on an external database it listens on all addresses by default", () => {
  expect(readConfig(GIVEN).host).toBe("0.0.0.0");
  expect(readConfig({ ...GIVEN, HOST: "::1" }).host).toBe("::1");
});

describe("a secret in a file", () => {
  const directory = givenDirectory("secrets");
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };

  test("is read without its final line break", () => {
    const { AUTH_JWT_SECRET: _, ...others } = GIVEN;
    const config = readConfig({ ...others, AUTH_JWT_SECRET_FILE: file("jwt", `${SECRET}\n`) });
    expect(config.auth.secrets).toEqual([SECRET]);
  });

  test("is read without the byte order mark of an editor", () => {
    const { AUTH_JWT_SECRET: _, ...others } = GIVEN;
    const AUTH_JWT_SECRET_FILE = file("marked", `\ufeff${SECRET}\r\n`);
    expect(readConfig({ ...others, AUTH_JWT_SECRET_FILE }).auth.secrets).toEqual([SECRET]);
  });

  test("is validated like a direct value, and not quoted", () => {
    expect(problems({ AUTH_JWT_SECRET_FILE: file("short", "hush") })).toEqual([
      "AUTH_JWT_SECRET: must have at least 32 characters in each line",
    ]);
  });

  test("is refused together with a direct value", () => {
    expect(problems({ ...GIVEN, DATABASE_URL_FILE: file("url", GIVEN.DATABASE_URL) })).toEqual([
      "DATABASE_URL_FILE: DATABASE_URL is also set: remove one of them",
    ]);
  });

  test("must exist and not be empty", () => {
    const absent = join(directory, "absent");
    expect(problems({ SMTP_URL_FILE: absent, S3_SECRET_KEY_FILE: file("empty", "\n") })).toEqual([
      `S3_SECRET_KEY_FILE: ${file("empty", "\n")} is empty`,
      expect.stringMatching(/^SMTP_URL_FILE: .*absent can't be read: ENOENT/),
      expect.stringMatching(/^S3_ENDPOINT: must be set/),
      expect.stringMatching(/^S3_BUCKET: must be set/),
      expect.stringMatching(/^S3_ACCESS_KEY: must be set/),
    ]);
  });
});

test("an empty value is treated as absent", () => {
  const empty = Object.fromEntries(settingNames.map((name) => [name, ""]));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

describe("accepted", () => {
  test.each<[string, string, Partial<ReturnType<typeof readConfig>>]>([
    ["LEARNING_CREDENTIALS_OUTPUT_DIR", "certificates/2026", { outputDir: "certificates/2026" }],
    ["LEARNING_CREDENTIALS_CUSTOM_DOMAIN", "files.example.org", { customDomain: "files.example.org" }],
    ["ISSUER_URL", "https://u.test/a?b=%20", { issuerProfile: { url: "https://u.test/a?b=%20" } }],
    ["ISSUER_DESCRIPTION", "Школа", { issuerProfile: { description: "Школа" } }],
    ["ISSUER_IMAGE", "https://u.test/a.png", { issuerProfile: { image: "https://u.test/a.png" } }],
    [
      "LEARNING_CREDENTIALS_CUSTOM_DOMAIN",
      "https://cdn.test:8443/c",
      { customDomain: "https://cdn.test:8443/c" },
    ],
    ...["True", "true", "1"].map((yes): [string, string, object] => [
      "LEARNING_CREDENTIALS_NAME_UPPERCASE",
      yes,
      { nameUppercase: true },
    ]),
    ...["False", "false", "0"].map((no): [string, string, object] => [
      "LEARNING_CREDENTIALS_DATE_UPPERCASE",
      no,
      { dateUppercase: false },
    ]),
    ["LEARNING_CREDENTIALS_DATE_CHAR_SPACE", "1.5", { dateCharSpace: 1.5 }],
    ["LEARNING_CREDENTIALS_DATE_CHAR_SPACE", "-2", { dateCharSpace: -2 }],
    ["CERTIFICATE_DATE_FORMAT", "%d.%m.%Y", { dateFormat: "%d.%m.%Y" }],
    ["PLATFORM_NAME", "Harbour Light", { platformName: "Harbour Light" }],
    ["TIME_ZONE", "Asia/Kathmandu", { timeZone: "Asia/Kathmandu" }],
    ["LANGUAGE_CODE", "pt-BR", { language: "pt-BR" }],
    ["HTTP_PORT", "0", { httpPort: 0 }],
    ["GRPC_PORT", "65535", { grpcPort: 65535 }],
    ["PUBLIC_URL", "https://x.test/sub//", { publicUrl: "https://x.test/sub", isPublicHttps: true }],
    ["MAIL_FROM", "no-reply@uni.test", { mailFrom: { address: "no-reply@uni.test" } }],
    ["SIGNING_KEY_FILES", "none", { signsBadges: false, signingKeyFiles: [] }],
    [
      "MAIL_FROM",
      "Example Academy <no-reply@uni.test>",
      { mailFrom: { name: "Example Academy", address: "no-reply@uni.test" } },
    ],
    ["EVENT_RETENTION_DAYS", "3650", { eventRetentionDays: 3650 }],
    ["AUDIT_RETENTION_DAYS", "730", { auditRetentionDays: 730 }],
    [
      "CORS_ALLOWED_ORIGINS",
      "https://lms.test, http://localhost:3000,",
      { corsAllowedOrigins: ["https://lms.test", "http://localhost:3000"] },
    ],
    ["HOST", "::1", { host: "::1", adminHost: "::1" }],
    ["ADMIN_HOST", "::1", { host: "127.0.0.1", adminHost: "::1" }],
    ["API_DOCS", "False", { apiDocs: false }],
    ["PUBLIC_RATE_LIMIT", "0", { publicRateLimit: 0 }],
    ["TRUSTED_PROXIES", "2", { trustedProxies: 2 }],
    ...[
      "https://lms.test/jwks",
      "http://127.0.0.1:1/jwks",
      "http://localhost/jwks",
      "http://[::1]:1/jwks",
    ].map((jwksUrl): [string, string, object] => ["AUTH_JWKS_URL", jwksUrl, { auth: { jwksUrl } }]),
    ["AUTH_JWKS", '{"keys":[{"kty":"OKP"}]}', { auth: { jwks: '{"keys":[{"kty":"OKP"}]}' } }],
    [
      "AUTH_JWT_ISSUER",
      "https://a.test, https://b.test",
      { auth: { issuer: ["https://a.test", "https://b.test"] } },
    ],
    ["AUTH_JWT_AUDIENCE", "openedx", { auth: { audience: ["openedx"] } }],
    ["AUTH_JWT_AUDIENCE", "any", { auth: { audience: undefined } }],
    ["AUTH_JWT_MAX_LIFETIME", "3600", { auth: { maxLifetime: 3600 } }],
    ["LOG_LEVEL", "silent", { logLevel: "silent" }],
  ])("%s=%s", (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });
});

describe("refused", () => {
  test.each([
    ["LEARNING_CREDENTIALS_OUTPUT_DIR", "/etc"],
    ["LEARNING_CREDENTIALS_OUTPUT_DIR", "a/../b"],
    ["LEARNING_CREDENTIALS_OUTPUT_DIR", "a/"],
    ["LEARNING_CREDENTIALS_CUSTOM_DOMAIN", "ftp://files.test"],
    ["LEARNING_CREDENTIALS_CUSTOM_DOMAIN", "me:pass@files.test"],
    ["LEARNING_CREDENTIALS_NAME_UPPERCASE", "TRUE"],
    ["LEARNING_CREDENTIALS_DATE_UPPERCASE", "yes"],
    ["LEARNING_CREDENTIALS_DATE_CHAR_SPACE", "wide"],
    ["LEARNING_CREDENTIALS_DATE_CHAR_SPACE", "101"],
    ["LEARNING_CREDENTIALS_DATE_CHAR_SPACE", "0x10"],
    ["CERTIFICATE_DATE_FORMAT", "%B %Q"],
    ["PLATFORM_NAME", "x".repeat(256)],
    ["TIME_ZONE", "Mars/Olympus"],
    ["LANGUAGE_CODE", "en_US"],
    ["DATABASE_URL", "mysql://me:secret@db/x"],
    ["DATABASE_URL", "db:5432"],
    ["DATABASE_OWNER_URL", "db:5432"],
    ["DATABASE_DIRECT_URL", "db:5432"],
    ["DATABASE_URL", "postgres://one,two/x"],
    ["HTTP_PORT", "80.5"],
    ["HTTP_PORT", "1e3"],
    ["HTTP_PORT", "65536"],
    ["GRPC_PORT", "-1"],
    ["PUBLIC_URL", "credentials.test"],
    ["PUBLIC_URL", "https://credentials.test/?a"],
    ["PUBLIC_URL", "https://me:secret@credentials.test"],
    ["SECURITY_CONTACT", "security@example.org"],
    ["SECURITY_CONTACT", "mailto:security@example.org, http://example.org"],
    ["CORS_ALLOWED_ORIGINS", "*"],
    ["CORS_ALLOWED_ORIGINS", "null"],
    ["CORS_ALLOWED_ORIGINS", "lms.test"],
    ["CORS_ALLOWED_ORIGINS", "https://lms.test/"],
    ["CORS_ALLOWED_ORIGINS", "https://LMS.test"],
    ["CORS_ALLOWED_ORIGINS", "https://lms.test:443"],
    ["CORS_ALLOWED_ORIGINS", "https://lms.test, https://*.test"],
    ["PUBLIC_RATE_LIMIT", "-1"],
    ["PUBLIC_RATE_LIMIT", "1.5"],
    ["TRUSTED_PROXIES", "11"],
    ["URL_SIGNING_SECRET", "secret"],
    ["AUTH_JWT_SECRET", "secret"],
    ["AUTH_JWT_SECRET", `${SECRET}\nsecret`],
    ["AUTH_JWT_SECRET", "\n \n"],
    ["URL_SIGNING_SECRET", Array(6).fill(SECRET).join("\n")],
    ["AUTH_JWKS", "https://lms.test/jwks.json"],
    ["AUTH_JWKS", "{}"],
    ["AUTH_JWKS", '{"keys":[]}'],
    ["AUTH_JWKS", '{"keys":[{"kty":"RSA","n":"x","e":"AQAB","d":"secret"}]}'],
    ["AUTH_JWKS", '{"keys":[{"kty":"oct","k":"secret"}]}'],
    ["AUTH_JWKS_FILE", "/nowhere/jwks.json"],
    ["AUTH_JWKS_FILE", "package.json"],
    ["AUTH_JWT_ISSUER", ", "],
    ["AUTH_JWT_ISSUER", "any, https://lms.test"],
    ["AUTH_JWKS_URL", "file:///etc/jwks.json"],
    ["AUTH_JWKS_URL", "http://lms.test/jwks.json"],
    ["AUTH_JWKS_URL", "http://127.0.0.1.lms.test/jwks.json"],
    ["AUTH_JWKS_URL", "http://localhost@lms.test/jwks.json"],
    ["AUTH_JWT_MAX_LIFETIME", "59"],
    ["AUTH_JWT_MAX_LIFETIME", "315360001"],
    ["ISSUER_URL", "http://harbour-light.test"],
    ["ISSUER_URL", "harbour-light.test"],
    ["ISSUER_DESCRIPTION", " "],
    ["ISSUER_DESCRIPTION", "x".repeat(1001)],
    ["ISSUER_IMAGE", "data:image/png;base64,AAAA"],
    ["ISSUER_IMAGE", "https://harbour-light.test/the logo.png"],
    ["ISSUER_IMAGE", `https://harbour-light.test/${"x".repeat(500)}`],
    ["MAIL_FROM", "no-reply"],
    ["MAIL_FROM", "a@uni.test, b@uni.test"],
    ["EVENT_RETENTION_DAYS", "-1"],
    ["EVENT_RETENTION_DAYS", "0.5"],
    ["LOG_LEVEL", "loud"],
  ])("%s=%s", (name, value) => {
    const [problem = "", ...others] = problems({
      ...(name.startsWith("DATABASE_") ? GIVEN : {}),
      [name]: value,
    });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name}[=:]`));
    expect(problem).not.toContain("secret");
  });
});

test("secrets in use at the same time are on separate lines, and may contain spaces", () => {
  const [first, second] = ["the one that signs from today on, new", "the one that has signed until now, old"];
  const { auth, urlSigningSecrets } = readConfig({
    AUTH_JWT_SECRET: `${first}\r\n\r\n  ${second}\r\n`,
    URL_SIGNING_SECRET: `${second}\n${first}`,
  });
  expect(auth.secrets).toEqual([first, second]);
  expect(urlSigningSecrets).toEqual([second, first]);
});

describe("several hosts", () => {
  test.each<[url: string, because: string]>([
    ["postgres://lc@a:5432,b:5432/lc?target_session_attrs=read-write", "names several hosts"],
    ["postgres://lc:s,cret@a,b/lc", "names several hosts"],
    ["postgresql://lc@/lc?host=a,b", "names several hosts"],
    ["postgres://lc@a/lc?target_session_attrs=read-write", "has target_session_attrs"],
    ["postgres://lc@a/lc?sslmode=require&target_session_attrs=primary", "has target_session_attrs"],
  ])("in %s are refused with a remedy", (url, because) => {
    expect(problems({ ...GIVEN, DATABASE_URL: url })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^DATABASE_URL: ${because}.* one address .* HAProxy, .* read-write service of the cluster`,
        ),
      ),
    ]);
  });

  test.each(["postgres://lc:s,e@a/lc", "postgres://a/l,c?target_session_attrs=any"])(
    "are not seen in %s",
    (url) => {
      expect(readConfig({ ...GIVEN, DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );
});

describe("an email server", () => {
  const SMTP_URL = "smtp://sender:secret@mail.test:587";
  const MAIL_FROM = "no-reply@uni.test";

  test("is accepted with a sender", () => {
    expect(readConfig({ SMTP_URL, MAIL_FROM }).smtpUrl).toBe(SMTP_URL);
  });

  test("needs a sender", () => {
    expect(problems({ SMTP_URL })).toEqual([
      expect.stringMatching(/^MAIL_FROM: must be set when SMTP_URL is/),
    ]);
  });

  test("must have a valid URL, and its password is not shown", () => {
    const [problem = "", ...others] = problems({ SMTP_URL: `${SMTP_URL}/path`, MAIL_FROM });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^SMTP_URL: must have no path/);
    expect(problem).not.toContain("secret");
  });
});

describe("on an external database", () => {
  test.each([
    [
      "AUTH_JWT_SECRET",
      /^AUTH_JWT_SECRET or AUTH_JWKS_URL or AUTH_JWKS_FILE or AUTH_JWKS: must be set when DATABASE_URL is/,
    ],
    ["AUTH_JWT_ISSUER", /^AUTH_JWT_ISSUER: must be set when DATABASE_URL is set: .*, or any to /],
    ["AUTH_JWT_AUDIENCE", /^AUTH_JWT_AUDIENCE: must be set when DATABASE_URL is set: .*, or any to /],
    ["PUBLIC_URL", /^PUBLIC_URL: must be set when DATABASE_URL is/],
    ["URL_SIGNING_SECRET", /^URL_SIGNING_SECRET: must be set when DATABASE_URL is/],
  ])("%s must be set", (name, expected) => {
    expect(problems({ ...GIVEN, [name]: "" })).toEqual([expect.stringMatching(expected)]);
  });

  test.each(["DATABASE_OWNER_URL", "DATABASE_DIRECT_URL"])("%s is not sufficient", (name) => {
    for (const read of [readConfig, readDatabaseConfig]) {
      expect(problems({ [name]: "postgres://owner:secret@db/x" }, read)).toEqual([
        expect.stringContaining(`DATABASE_URL: must be set when ${name} is`),
      ]);
    }
  });

  test("a JWKS replaces a secret", () => {
    expect(problems({ ...GIVEN, AUTH_JWT_SECRET: "", AUTH_JWKS_URL: "https://lms.test/jwks" })).toEqual([]);
  });

  test("any issuer and any audience are accepted only on request", () => {
    const open = readConfig({ ...GIVEN, AUTH_JWT_ISSUER: "any", AUTH_JWT_AUDIENCE: "any" });
    expect(open.auth).toMatchObject({ issuer: undefined, audience: undefined });
    expect(readConfig(GIVEN).auth).toMatchObject({
      issuer: ["https://lms.test/oauth2"],
      audience: ["credentials"],
    });
  });

  test("missing and wrong settings are listed together", () => {
    expect(problems({ DATABASE_URL: "postgres://db/x", HTTP_PORT: "x" })).toHaveLength(6);
  });

  test("commands that use only the database need no secrets", () => {
    expect(problems({ DATABASE_URL: "postgres://db/x" }, readDatabaseConfig)).toEqual([]);
    expect(problems({ DATABASE_URL: "db" }, readDatabaseConfig)).toHaveLength(1);
  });
});

test("settings that are called a secret, key, token or password are kept as secrets", () => {
  const called = settingNames.filter((name) => /SECRET|PASSWORD|PASSPHRASE|TOKEN|_KEY$/.test(name));
  expect(called).toContain("OIDC_CLIENT_SECRET");
  expect(secretNames).toEqual(expect.arrayContaining(called));
});

test.each(settingNames.filter((name) => /_FILES?$/.test(name)))(
  "a file that can't be read is reported: %s",
  (name) => {
    const reported = problems({ ...GIVEN, [name]: "/nowhere/file.pem" }, readServiceConfig);
    expect(reported).toContainEqual(expect.stringMatching(new RegExp(`^${name}: .*/nowhere/file\\.pem`)));
  },
);
