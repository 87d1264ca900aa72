import ipaddr from "ipaddr.js";
import { z } from "zod";
import { type IssuerProfile, issuerProfile } from "#domain/keys/issuer-profile.js";
import { type OrganisationIssuers, readOrganisationIssuers } from "#domain/keys/organisation-issuers.js";
import { formatDate } from "#formats/rendering/design/format-date.js";
import { isTimeZone } from "#foundation/calendar/time-zone.js";
import { Problem, quoted } from "#foundation/errors.js";
import { hasNoUser } from "#foundation/text/has-no-user.js";
import { isOrigin } from "#foundation/text/is-origin.js";
import { isLanguageTag } from "#foundation/text/language-tag.js";
import { checkDatabaseUrl, exactSslMode } from "#infrastructure/db/database-url.js";
import { parseMailbox } from "#infrastructure/email/mailbox.js";
import { parseSmtpUrl } from "#infrastructure/email/smtp-url.js";
import { isUsername } from "#infrastructure/identity/claims.js";
import { problemOfKeySet, problemOfKeySetFile } from "#infrastructure/identity/key-set.js";
import type { ProviderSettings } from "#infrastructure/identity/sign-in-provider.js";
import { MAX_LIFETIME_S } from "#infrastructure/identity/token-lifetime.js";
import {
  ANY,
  isTamperProof,
  missingForDatabase,
  missingSettings,
  type SettingTexts,
} from "./missing-settings.js";
import { readPlatformName } from "./platform-name.js";
import { readSecretFiles, secretNames } from "./read-secret-files.js";
import { NONE, unreadableFiles } from "./unreadable-files.js";

/** The settings of one process, read once from its environment. */
export type Config = ReturnType<typeof toConfig> & {
  /** Values of the settings that are set, by name, for display. Secrets are undefined. */
  readonly shownSettings: ReadonlyMap<string, string | undefined>;
};

/** Invalid settings. The message lists all problems, one per line, each with the name of the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Maximum number of secrets of one kind. Each may have to be tried before a signature is rejected. */
const MAX_SECRETS = 5;

/** Maximum number of signing keys. During a key replacement there are several of each kind. */
const MAX_SIGNING_KEYS = 10;

/** Maximum number of timestamp authorities, which are tried one after the other. */
const MAX_TSAS = 5;

const boolean = z
  .enum(["True", "False", "true", "false", "1", "0"], "must be True, False, true, false, 1 or 0")
  .transform((text) => ["True", "true", "1"].includes(text));
const number = (rule: string, isRight: (value: number) => boolean) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/, rule)
    .transform(Number)
    .refine(isRight, rule);
const wholeNumber = (of: string, least: number, most: number) =>
  number(
    `must be a whole number of ${of}, ${least} to ${most}`,
    (value) => Number.isInteger(value) && value >= least && value <= most,
  );
const port = number(
  "must be a port number, 0 to 65535",
  (value) => Number.isInteger(value) && value >= 0 && value <= 65535,
);
const points = number(
  "must be a number of points, -20 to 100, such as 1.5",
  (value) => value >= -20 && value <= 100,
);
const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)),
      `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    );
const withoutUser = [
  hasNoUser,
  { error: "must not contain a username or password, because they would not be sent", abort: true },
] as const;
/** The MinIO client takes a host and a port, but no path. */
const s3Endpoint = url("http", "https")
  .refine((text) => {
    if (!URL.canParse(text)) return true;
    const { pathname, search, hash, username, password } = new URL(text);
    return pathname === "/" && search + hash + username + password === "";
  }, "must be a URL of host and port only, such as https://s3.example.org")
  .transform((text) => text.replace(/\/+$/, ""));
const days = wholeNumber("days", 0, 36_500);
const databaseUrl = z.string().superRefine(readBy(checkDatabaseUrl)).transform(exactSslMode);
/** One secret per line. During a replacement, two are in use: the first signs, and all verify. */
const secrets = z
  .string()
  .transform(linesOf)
  .refine(
    (lines) => lines.length > 0 && lines.every((line) => line.length >= 32),
    "must have at least 32 characters in each line",
  )
  .refine((lines) => lines.length <= MAX_SECRETS, `must have at most ${MAX_SECRETS} lines`);

/** Private networks that requests may reach. Other private networks are blocked. */
const networks = z
  .string()
  .transform(wordsOf)
  .refine(
    (words) => words.every((network) => ipaddr.isValidCIDR(network)),
    "must be networks, separated by commas, such as 10.0.0.0/8 or fd00::/8",
  );

/** A relative directory in the file store. The pattern excludes `..`, so file keys stay inside it. */
const directory = z
  .string()
  .regex(
    /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/,
    "must be a relative path of letters, digits, `_`, `-`, `.` and `/`",
  );

/** URL of an identity provider that an administrator enters. Requests to it are restricted. */
export const providerUrl = url("http", "https").refine(...withoutUser);
/** A URL whose responses are trusted. */
const privateUrl = url("http", "https")
  .refine(...withoutUser)
  .refine(
    isTamperProof,
    "must start with https://, unless it is on this machine: anyone who can change the response can sign in",
  );
export const oauthScope = z
  .string()
  // RFC 6749 permits commas within a scope, but no known provider uses them.
  .regex(
    /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+( [\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+)*$/,
    "must be words separated by single spaces, without commas",
  );
export const privateOrNone = z
  .string()
  .refine(
    (text) => text === "none" || privateUrl.safeParse(text).success,
    "must be none, or a URL that starts with https:// (http:// is allowed on this machine), without a username or password",
  );
export const claimName = z
  .string()
  .regex(/^[^\p{Cc}\s]{1,255}$/u, "must be the name of a claim, such as roles or realm_access.roles");

/** `any`, or the allowed values of a claim. */
const allowedClaimValues = z
  .string()
  .transform(wordsOf)
  .refine((values) => values.length > 0, "must have at least one value")
  .refine(
    (values) => values.length === 1 || !values.includes(ANY),
    `must be ${ANY} alone, or a list without ${ANY}`,
  );

const environment = z.object({
  LEARNING_CREDENTIALS_OUTPUT_DIR: directory.default("learning_credentials"),
  LEARNING_CREDENTIALS_CUSTOM_DOMAIN: z
    .string()
    .regex(
      /^(https?:\/\/)?[A-Za-z0-9.-]+(:\d+)?(\/[\w./-]*)?$/,
      "must be a domain, such as credentials.example.org",
    )
    .optional(),
  LEARNING_CREDENTIALS_REST_COMPATIBILITY: z.enum(["0.5.1"], "must be 0.5.1, or not set").optional(),
  LEARNING_CREDENTIALS_NAME_UPPERCASE: boolean.default(false),
  LEARNING_CREDENTIALS_DATE_UPPERCASE: boolean.default(false),
  LEARNING_CREDENTIALS_DATE_CHAR_SPACE: points.default(0),
  CERTIFICATE_DATE_FORMAT: z
    .string()
    .superRefine(readBy((pattern) => formatDate(new Date(), pattern, { timeZone: "UTC", locale: "en" })))
    .optional(),
  LEARNING_CREDENTIALS_PLUGINS: z.string().default(""),
  PLATFORM_NAME: z.string().max(255, "must have at most 255 characters").optional(),
  TIME_ZONE: z.string().refine(isTimeZone, "must be an IANA time zone, such as Europe/Madrid").default("UTC"),
  LANGUAGE_CODE: z
    .string()
    .refine(isLanguageTag, "must be a BCP 47 language tag, such as en or pt-BR")
    .default("en"),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber("connections", 2, 1000).optional(),
  DATA_DIR: z.string().default(".data"),
  HOST: z.string().optional(),
  HTTP_PORT: port.default(8080),
  GRPC_PORT: port.default(50051),
  PUBLIC_URL: url("http", "https")
    .refine(
      (text) => !/[?#@\s]/.test(text),
      "must not contain a username, query or fragment, because paths are appended to it",
    )
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .default("")
    .transform(wordsOf)
    .refine(
      (contacts) =>
        contacts.every(
          (contact) => /^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/.test(contact) && hasNoUser(contact),
        ),
      "must be addresses such as mailto:security@example.org or https://example.org/security, separated by commas",
    ),
  API_DOCS: boolean.default(true),
  CORS_ALLOWED_ORIGINS: z
    .string()
    .default("")
    .transform(wordsOf)
    .refine(
      (origins) => origins.every(isOrigin),
      "must be origins, separated by commas, such as https://lms.example.org",
    ),
  PUBLIC_RATE_LIMIT: wholeNumber("requests a minute", 0, 10_000_000).default(600),
  PUBLIC_CACHE_SECONDS: wholeNumber("seconds", 0, 2).default(0),
  MAX_CONCURRENT_CALLS: wholeNumber("calls", 1, 100_000).default(1000),
  TRUSTED_PROXIES: wholeNumber("proxies", 0, 10).default(0),
  URL_SIGNING_SECRET: secrets.default([]),
  SIGNING_KEY_FILES: z
    .string()
    .default("")
    .transform(wordsOf)
    .refine((paths) => paths.length <= MAX_SIGNING_KEYS, `must be at most ${MAX_SIGNING_KEYS} paths`)
    .refine(
      (paths) => paths.length === 1 || !paths.includes(NONE),
      `must be ${NONE} alone, or a list without ${NONE}`,
    ),
  ISSUERS_FILE: z
    .string()
    .transform((path, context): OrganisationIssuers => {
      const issuers = readOrganisationIssuers(path);
      if (!("problem" in issuers)) return issuers;
      context.addIssue({ code: "custom", message: issuers.problem });
      return z.NEVER;
    })
    .optional(),
  PDF_SEAL_CERT_FILE: z.string().optional(),
  PDF_SEAL_KEY_FILE: z.string().optional(),
  PDF_SEAL_TIMESTAMP: z
    .enum(["best-effort", "required", "off"], "must be best-effort, required or off")
    .default("best-effort"),
  TSA_URLS: z
    .string()
    .default("")
    .transform(wordsOf)
    .refine(
      (urls) => urls.length <= MAX_TSAS && urls.every((each) => url("http", "https").safeParse(each).success),
      `must be at most ${MAX_TSAS} URLs that start with http:// or https://, separated by commas`,
    ),
  TSA_CA_FILE: z.string().optional(),
  LOG_KEY_FILE: z.string().optional(),
  LOG_POLICY_FILE: z.string().optional(),
  WITNESS_KEY_FILE: z.string().optional(),
  ISSUER_URL: issuerProfile.shape.url,
  ISSUER_DESCRIPTION: issuerProfile.shape.description,
  ISSUER_IMAGE: issuerProfile.shape.image,
  AUTH_JWT_SECRET: secrets.default([]),
  AUTH_JWKS_URL: url("http", "https")
    .refine(...withoutUser)
    .refine(
      isTamperProof,
      "must start with https://, unless it is on this machine: anyone who can change the response can sign tokens",
    )
    .optional(),
  AUTH_JWKS: z.string().superRefine(withoutProblem(problemOfKeySet)).optional(),
  AUTH_JWKS_FILE: z.string().superRefine(withoutProblem(problemOfKeySetFile)).optional(),
  AUTH_JWT_ISSUER: allowedClaimValues.optional(),
  AUTH_JWT_AUDIENCE: allowedClaimValues.optional(),
  AUTH_JWT_PIN_SUBJECT: boolean.default(true),
  AUTH_JWT_MAX_LIFETIME: wholeNumber("seconds", 60, 315_360_000).default(MAX_LIFETIME_S),
  AUTH_JWT_ROLES_CLAIM: claimName.optional(),
  AUTH_JWT_ORGANISATIONS_CLAIM: claimName.optional(),
  PLATFORM_WORKERS: z
    .string()
    .default("")
    .transform(wordsOf)
    .refine((names) => names.every(isUsername) && names.length <= 20, "must be at most 20 usernames"),
  OIDC_ISSUER: privateUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPE: oauthScope.default("openid profile email"),
  OIDC_END_SESSION_URL: privateOrNone.optional(),
  OPENEDX_URL: privateUrl.transform((text) => text.replace(/\/+$/, "")).optional(),
  S3_ENDPOINT: s3Endpoint.optional(),
  S3_PUBLIC_ENDPOINT: s3Endpoint.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, "must be the name of a region, such as us-east-1")
    .default("us-east-1"),
  S3_BUCKET: z
    .string()
    .regex(
      /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "must have 3 to 63 lower-case letters, digits, `-` and `.`, and begin and end with a letter or digit",
    )
    .optional(),
  S3_PATH_STYLE: boolean.default(true),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  SMTP_URL: z.string().superRefine(readBy(parseSmtpUrl)).optional(),
  MAIL_FROM: z.string().superRefine(readBy(parseMailbox)).optional(),
  WEBHOOK_SECRET: secrets.default([]),
  WEBHOOK_ALLOWED_NETWORKS: networks.default([]),
  LTI_SECRET: secrets.default([]),
  LTI_ALLOWED_NETWORKS: networks.default([]),
  CONNECTORS_FILE: z.string().optional(),
  CONNECTORS_ALLOWED_NETWORKS: networks.default([]),
  SETTINGS_SECRET: secrets.default([]),
  SETTINGS_ALLOWED_NETWORKS: networks.default([]),
  EVENT_RETENTION_DAYS: days.default(0),
  AUDIT_RETENTION_DAYS: days.default(365),
  ADMIN_HOST: z.string().optional(),
  ADMIN_PORT: port.optional(),
  SHUTDOWN_DELAY: number(
    "must be a number of seconds, 0 to 300",
    (value) => value >= 0 && value <= 300,
  ).default(0),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CLIENT_CA_FILE: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http", "https").optional(),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be trace, debug, info, warn, error, fatal or silent",
    )
    .optional(),
});

export const settingNames = Object.keys(environment.shape);

/** Names of all settings, and of their `_FILE` variants for secrets. */
export const variableNames = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)];

/**
 * Reads the settings from environment variables. Ignores empty variables.
 * @throws ConfigError that lists all problems
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  return read(variables, missingSettings);
}

/**
 * Reads the settings of a process that serves requests or runs jobs. Every file that the settings name must be
 * readable.
 * @throws ConfigError that lists all problems
 */
export function readServiceConfig(variables: Record<string, string | undefined>): Config {
  return read(variables, (settingTexts) => [
    ...missingSettings(settingTexts),
    ...unreadableFiles(settingTexts),
  ]);
}

/**
 * Reads the settings for work that uses only the database and needs none of the service's secrets.
 * @throws ConfigError that lists all problems
 */
export function readDatabaseConfig(variables: Record<string, string | undefined>): Config {
  return read(variables, missingForDatabase);
}

function read(variables: SettingTexts, missing: (settingTexts: SettingTexts) => string[]): Config {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const { variables: settingTexts, problems: unread } = readSecretFiles(set);
  const parsed = environment.safeParse(settingTexts);
  const wrong = parsed.error?.issues.map(
    ({ path, message }) => `${shown(String(path[0]), settingTexts)}: ${message}`,
  );
  const problems = [...unread, ...(wrong ?? []), ...missing(settingTexts)];
  if (problems.length > 0 || !parsed.data) throw new ConfigError([...problems, REMEDY].join("\n"));
  return { ...toConfig(parsed.data), shownSettings: withoutSecrets(settingTexts) };
}

/**
 * Returns the values of the settings that are set. Omits the values of secrets, and the users and passwords in URLs.
 */
function withoutSecrets(settingTexts: SettingTexts): ReadonlyMap<string, string | undefined> {
  const secrets: readonly string[] = secretNames;
  const shownOf = (name: string, text: string) =>
    secrets.includes(name) ? undefined : text.replaceAll(/(?<=:\/\/)[^/\s]*@/g, "");
  return new Map(
    settingNames.flatMap((name) => {
      const text = settingTexts[name];
      return text === undefined ? [] : [[name, shownOf(name, text)] as const];
    }),
  );
}

const REMEDY =
  "Settings are environment variables: correct the ones above. .docs/settings.md lists them all.";

function toConfig(settings: z.infer<typeof environment>) {
  return {
    /** undefined if the service reads no learning platform. */
    connectorsFile: settings.CONNECTORS_FILE,
    /** Private networks in which connectors saved in the console may read platforms, in CIDR notation. */
    connectorsAllowedNetworks: settings.CONNECTORS_ALLOWED_NETWORKS,
    outputDir: settings.LEARNING_CREDENTIALS_OUTPUT_DIR,
    customDomain: settings.LEARNING_CREDENTIALS_CUSTOM_DOMAIN,
    /** Version of the Open edX plug-in that two REST routes imitate; undefined for the routes' own format. */
    restCompatibility: settings.LEARNING_CREDENTIALS_REST_COMPATIBILITY,
    nameUppercase: settings.LEARNING_CREDENTIALS_NAME_UPPERCASE,
    dateUppercase: settings.LEARNING_CREDENTIALS_DATE_UPPERCASE,
    dateCharSpace: settings.LEARNING_CREDENTIALS_DATE_CHAR_SPACE,
    dateFormat: settings.CERTIFICATE_DATE_FORMAT,
    /** Package names, or paths relative to the working directory. */
    plugins: wordsOf(settings.LEARNING_CREDENTIALS_PLUGINS),
    platformName: platformNameOf(settings),
    timeZone: settings.TIME_ZONE,
    language: settings.LANGUAGE_CODE,
    databaseUrl: settings.DATABASE_URL,
    /** URL of the database itself; set if `databaseUrl` is a pooler that changes sessions between transactions. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    /**
     * URL with which the owner of the tables connects for migrations; undefined if `databaseUrl` is the owner's or no
     * migration is due.
     */
    databaseOwnerUrl: settings.DATABASE_OWNER_URL,
    /** undefined for a default that depends on the number of cores. */
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    dataDir: settings.DATA_DIR,
    host: hostOf(settings),
    httpPort: settings.HTTP_PORT,
    grpcPort: settings.GRPC_PORT,
    /**
     * The first secret is the current one, but requests are signed with all of them. If empty, a secret from the data
     * directory is used; without such a secret, there are no webhooks.
     */
    webhookSecrets: settings.WEBHOOK_SECRET,
    /** Private networks to which webhooks may be sent, in CIDR notation; other private networks are blocked. */
    webhookAllowedNetworks: settings.WEBHOOK_ALLOWED_NETWORKS,
    /** The first secret encrypts and signs; all decrypt and verify. If empty, LTI is off. */
    ltiSecrets: settings.LTI_SECRET,
    /** Private networks in which LTI platforms are allowed, in CIDR notation; other private networks are blocked. */
    ltiAllowedNetworks: settings.LTI_ALLOWED_NETWORKS,
    /**
     * Secrets that encrypt what administrators save in the console. The first encrypts; all decrypt. If empty, a secret
     * from the data directory is used; without such a secret, nothing secret can be saved.
     */
    settingsSecrets: settings.SETTINGS_SECRET,
    /** Private networks that settings saved in the console may refer to, in CIDR notation. */
    settingsAllowedNetworks: settings.SETTINGS_ALLOWED_NETWORKS,
    /** 0 to keep events forever. */
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    /** 0 to keep the audit trail forever. */
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    adminHost: settings.ADMIN_HOST ?? hostOf(settings),
    /** undefined to serve no metrics. */
    adminPort: settings.ADMIN_PORT,
    /** In seconds. */
    shutdownDelay: settings.SHUTDOWN_DELAY,
    /** undefined to listen without TLS. */
    tls: toTlsFiles(settings),
    publicUrl: settings.PUBLIC_URL,
    /** True if the public reaches the service over HTTPS, directly or through a proxy. */
    isPublicHttps: settings.PUBLIC_URL?.startsWith("https:") ?? false,
    /** URIs for reporting vulnerabilities. If empty, there is no security.txt. */
    securityContacts: settings.SECURITY_CONTACT,
    /** True to serve the API's documentation pages, OpenAPI description and gRPC reflection. */
    apiDocs: settings.API_DOCS,
    corsAllowedOrigins: settings.CORS_ALLOWED_ORIGINS,
    /** Requests per minute for each client; 0 for no limit. */
    publicRateLimit: settings.PUBLIC_RATE_LIMIT,
    /** How many seconds a content delivery network may cache responses of the metadata route; 0 to disable caching. */
    publicCacheSeconds: settings.PUBLIC_CACHE_SECONDS,
    /** Maximum number of concurrent unary calls, and of concurrent streams. */
    maxConcurrentCalls: settings.MAX_CONCURRENT_CALLS,
    trustedProxies: settings.TRUSTED_PROXIES,
    ...toSigning(settings),
    auth: toAuth(settings),
    /** undefined if staff sign in only with sign-in links. */
    signInProvider: toProvider(settings),
    /** undefined to store files under `dataDir`. */
    s3: toS3Settings(settings),
    /** undefined to store emails under `dataDir`. */
    smtpUrl: settings.SMTP_URL,
    mailFrom: parseMailbox(settings.MAIL_FROM ?? "no-reply@localhost"),
    /** undefined to send no traces. */
    traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** undefined to use the log's default level. */
    logLevel: settings.LOG_LEVEL,
  };
}

function toAuth(settings: z.infer<typeof environment>) {
  return {
    /** The first secret signs; all verify. */
    secrets: settings.AUTH_JWT_SECRET,
    jwks: settings.AUTH_JWKS,
    jwksFile: settings.AUTH_JWKS_FILE,
    jwksUrl: settings.AUTH_JWKS_URL,
    /** Accepted issuers; undefined to accept any. The first is used for tokens that this service creates. */
    issuer: unlessAny(settings.AUTH_JWT_ISSUER),
    /** Accepted audiences; undefined to accept any. The first is used for tokens that this service creates. */
    audience: unlessAny(settings.AUTH_JWT_AUDIENCE),
    /** In seconds. */
    maxLifetime: settings.AUTH_JWT_MAX_LIFETIME,
    /** True to bind a username to the `sub` of its first token. */
    pinSubject: settings.AUTH_JWT_PIN_SUBJECT,
    rolesClaim: settings.AUTH_JWT_ROLES_CLAIM,
    /** The claim with the organisations to which staff and services are restricted. */
    organisationsClaim: settings.AUTH_JWT_ORGANISATIONS_CLAIM,
    /** Usernames that may erase and rename learners. If empty, nobody may, and the routes for the LMS are off. */
    platformWorkers: settings.PLATFORM_WORKERS,
  };
}

/** Returns the settings about keys, certificates and the services that confirm signatures. */
function toSigning(settings: z.infer<typeof environment>) {
  return {
    /** The first secret signs; all verify. If empty, a secret from the data directory is used. */
    urlSigningSecrets: settings.URL_SIGNING_SECRET,
    /**
     * PEM files. If empty, keys stored in the database are used; with the embedded database, keys in the data
     * directory.
     */
    signingKeyFiles: settings.SIGNING_KEY_FILES.filter((path) => path !== NONE),
    signsBadges: !settings.SIGNING_KEY_FILES.includes(NONE),
    /** How the service describes itself as the issuer of its own badges. */
    issuerProfile: {
      ...(settings.ISSUER_URL && { url: settings.ISSUER_URL }),
      ...(settings.ISSUER_DESCRIPTION && { description: settings.ISSUER_DESCRIPTION }),
      ...(settings.ISSUER_IMAGE && { image: settings.ISSUER_IMAGE }),
    } as IssuerProfile,
    /** The service's own seal on PDFs; undefined if it has none. */
    seal: toSealFiles(settings),
    timestamps: {
      level: settings.PDF_SEAL_TIMESTAMP,
      /** Timestamp authorities in order of preference. If empty, PDFs get no timestamps. */
      urls: settings.TSA_URLS,
      /** undefined to trust every authority. */
      caFile: settings.TSA_CA_FILE,
    },
    /** The key that signs the event log, from a file or a plug-in; undefined to publish no log. */
    logKeyFile: settings.LOG_KEY_FILE,
    /** File that lists the witnesses that cosign this service's log, and the logs that this service witnesses. */
    logPolicyFile: settings.LOG_POLICY_FILE,
    /** The key with which the service witnesses other logs. */
    witnessKeyFile: settings.WITNESS_KEY_FILE,
    /** Organisations that issue badges with their own keys. */
    issuers: settings.ISSUERS_FILE ?? (new Map() as OrganisationIssuers),
  };
}

/** The default is loopback with the embedded database, which serves only this machine. */
function hostOf({ HOST, DATABASE_URL }: z.infer<typeof environment>): string {
  return HOST ?? (DATABASE_URL === undefined ? "127.0.0.1" : "0.0.0.0");
}

/** The default is the name stored in the embedded database's data directory. The sample academy stores one. */
function platformNameOf({ PLATFORM_NAME, DATABASE_URL, DATA_DIR }: z.infer<typeof environment>): string {
  const storedName = PLATFORM_NAME ?? (DATABASE_URL === undefined ? readPlatformName(DATA_DIR) : undefined);
  return storedName ?? "Learning Credentials";
}

function toTlsFiles({ TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE }: z.infer<typeof environment>) {
  if (!TLS_CERT_FILE || !TLS_KEY_FILE) return undefined;
  return { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE, clientCaFile: TLS_CLIENT_CA_FILE };
}

function toSealFiles({
  PDF_SEAL_CERT_FILE: certFile,
  PDF_SEAL_KEY_FILE: keyFile,
}: z.infer<typeof environment>) {
  return certFile && keyFile ? { certFile, keyFile } : undefined;
}

function toProvider(settings: z.infer<typeof environment>): ProviderSettings | undefined {
  const { OIDC_ISSUER, OPENEDX_URL, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (!clientId || !clientSecret) return undefined;
  const client = { clientId, clientSecret, endSessionUrl: settings.OIDC_END_SESSION_URL };
  if (OPENEDX_URL) {
    return { kind: "open edx", url: OPENEDX_URL, ...client, scope: "user_id profile email" };
  }
  if (!OIDC_ISSUER) return undefined;
  return { kind: "openid", url: OIDC_ISSUER, ...client, scope: settings.OIDC_SCOPE };
}

function toS3Settings(settings: z.infer<typeof environment>) {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = settings;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY || !S3_SECRET_KEY) return undefined;
  return {
    endpoint: S3_ENDPOINT,
    publicEndpoint: settings.S3_PUBLIC_ENDPOINT,
    region: settings.S3_REGION,
    bucket: S3_BUCKET,
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
    pathStyle: settings.S3_PATH_STYLE,
    customDomain: settings.LEARNING_CREDENTIALS_CUSTOM_DOMAIN,
  };
}

/** Formats a setting for an error message. Omits the value if it may be secret, or is a path that the message names. */
function shown(name: string, settingTexts: SettingTexts): string {
  if (/SECRET|KEY|URL|ENDPOINT|JWKS|_FILE$/.test(name)) return name;
  return `${name}=${quoted(settingTexts[name] ?? "")}`;
}

/** Validates a value with the function that will parse it, and reports the error that the function throws. */
function readBy(parse: (text: string) => unknown) {
  return (text: string, context: z.RefinementCtx): void => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  };
}

function unlessAny(claims: string[] | undefined): string[] | undefined {
  return claims?.[0] === ANY ? undefined : claims;
}

function withoutProblem(problemOf: (text: string) => string | undefined) {
  return (text: string, context: z.core.$RefinementCtx) => {
    const message = problemOf(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  };
}

/** Splits a text into lines. Removes surrounding white space, which isn't part of a secret. */
function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function wordsOf(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
