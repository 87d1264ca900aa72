/** Raw settings by name. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** Explicit value for not checking a claim of tokens, so that a forgotten setting doesn't disable the check. */
export const ANY = "any";

/** Settings that are required if other settings are set. */
interface Rule {
  /** The rule applies if one of these is set. */
  readonly beside: readonly string[];
  /** Additional condition; always true by default */
  readonly when?: (texts: SettingTexts) => boolean;
  /** Ends the sentence "It must be set when …". */
  readonly because: string;
  /** Required settings and their purpose. Of names joined by `or`, one is sufficient. */
  readonly needs: Readonly<Record<string, string>>;
  /** By default, a setting is missing if it isn't set */
  readonly isMissing?: (texts: SettingTexts) => boolean;
}

/** If only one of these URLs is set, the embedded database would be used silently. */
const databaseRules = ["DATABASE_OWNER_URL", "DATABASE_DIRECT_URL"].map(
  (name): Rule => ({
    beside: [name],
    because: `${name} is`,
    needs: { DATABASE_URL: "the same database, as the role that the service uses" },
  }),
);

const S3 = {
  S3_ENDPOINT: "the URL of the S3 service, such as https://s3.example.org",
  S3_BUCKET: "the bucket for the files",
  S3_ACCESS_KEY: "the access key for the bucket",
  S3_SECRET_KEY: "the secret of the access key for the bucket",
};

const OIDC_CLIENT = "the client that you registered there";

const rules: readonly Rule[] = [
  ...databaseRules,
  {
    // With the embedded database, the service generates the secrets that it needs; with another database it must not.
    beside: ["DATABASE_URL"],
    because: "DATABASE_URL is",
    needs: {
      "AUTH_JWT_SECRET or AUTH_JWKS_URL or AUTH_JWKS_FILE or AUTH_JWKS":
        "it determines which tokens are trusted",
      AUTH_JWT_ISSUER:
        `the "iss" that tokens must have, such as https://lms.example.org/oauth2, or ${ANY} ` +
        "to accept tokens of every issuer that has the keys",
      AUTH_JWT_AUDIENCE:
        `the "aud" that tokens must have, such as credentials, or ${ANY} ` +
        "to also accept tokens that are meant for other services",
      PUBLIC_URL: "it is printed on credentials, such as https://credentials.example.org",
      URL_SIGNING_SECRET: "it signs download links; 32 random characters or more",
    },
  },
  {
    // Without this rule, files would silently be stored on this machine if the S3 settings are incomplete.
    beside: [...Object.keys(S3), "S3_PUBLIC_ENDPOINT", "S3_REGION"],
    because: "another S3_* is",
    needs: S3,
  },
  {
    // Recipients see the sender, who also receives bounces, so there is no default.
    beside: ["SMTP_URL"],
    because: "SMTP_URL is",
    needs: { MAIL_FROM: "the sender of emails, such as no-reply@example.org" },
  },
  {
    beside: ["TLS_CERT_FILE", "TLS_KEY_FILE", "TLS_CLIENT_CA_FILE"],
    because: "another TLS_* is",
    needs: { TLS_CERT_FILE: "", TLS_KEY_FILE: "" },
  },
  {
    // A client without a secret could be impersonated.
    beside: ["OIDC_ISSUER", "OPENEDX_URL"],
    because: "OIDC_ISSUER or OPENEDX_URL is",
    needs: { OIDC_CLIENT_ID: OIDC_CLIENT, OIDC_CLIENT_SECRET: OIDC_CLIENT },
  },
  {
    // The service's own keys sign for organisations that have none.
    beside: ["ISSUERS_FILE"],
    when: ({ DATABASE_URL }) => DATABASE_URL !== undefined,
    because: "ISSUERS_FILE is",
    needs: { SIGNING_KEY_FILES: "the keys for all other organisations" },
  },
  {
    beside: ["PDF_SEAL_CERT_FILE", "PDF_SEAL_KEY_FILE"],
    because: "another PDF_SEAL_*_FILE is",
    needs: { PDF_SEAL_CERT_FILE: "", PDF_SEAL_KEY_FILE: "" },
  },
  {
    beside: ["PDF_SEAL_TIMESTAMP"],
    when: ({ PDF_SEAL_TIMESTAMP }) => PDF_SEAL_TIMESTAMP === "required",
    because: "PDF_SEAL_TIMESTAMP is required",
    needs: { TSA_URLS: "the timestamp authorities" },
  },
  {
    beside: ["WITNESS_KEY_FILE"],
    because: "WITNESS_KEY_FILE is",
    needs: { LOG_POLICY_FILE: "it names the logs that are witnessed" },
  },
  {
    // Platforms show our pages in frames of HTTPS pages, in which browsers load only HTTPS.
    beside: ["LTI_SECRET"],
    because: "LTI_SECRET is, and start with https://",
    needs: { PUBLIC_URL: "platforms redirect browsers there" },
    isMissing: ({ PUBLIC_URL }) => PUBLIC_URL === undefined || !isLocalPath(PUBLIC_URL),
  },
];

/** Lists the settings that are required by other settings but missing, one sentence each. */
export function missingSettings(texts: SettingTexts): string[] {
  return rules.flatMap((rule) => missingBy(rule, texts));
}

/** Lists missing settings for work that uses only the database. */
export function missingForDatabase(texts: SettingTexts): string[] {
  return databaseRules.flatMap((rule) => missingBy(rule, texts));
}

function missingBy({ beside, when, because, needs, isMissing }: Rule, texts: SettingTexts): string[] {
  const isSet = (name: string) => texts[name] !== undefined;
  if (!beside.some(isSet) || when?.(texts) === false) return [];
  return Object.entries(needs)
    .filter(([names]) => isMissing?.(texts) ?? !names.split(" or ").some(isSet))
    .map(([names, what]) => `${names}: must be set when ${because}${what && `: ${what}`}`);
}

/** Returns whether the connection is protected from tampering: it uses TLS, or stays on this machine. */
export function isLocalPath(text: string): boolean {
  if (!URL.canParse(text)) return true; // rejected elsewhere
  const { protocol, hostname } = new URL(text);
  return protocol !== "http:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
