/** Raw settings by name. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/**
 * The value that leaves a claim of tokens unchecked. It must be set explicitly, so a forgotten setting never disables
 * the check.
 */
export const ANY = "any";

/** Settings that are required if other settings are set. */
interface Rule {
  /** The rule applies if any of these settings is set. */
  readonly beside: readonly string[];
  readonly when?: (texts: SettingTexts) => boolean;
  /** Completes the sentence "It must be set when …". */
  readonly because: string;
  /** Required settings and their purpose. If names are joined by `or`, one of them is enough. */
  readonly needs: Readonly<Record<string, string>>;
  /** Returns whether a required setting is missing. By default, it is missing if it isn't set. */
  readonly isMissing?: (texts: SettingTexts) => boolean;
}

/** If DATABASE_URL is missing beside these URLs, the service would silently use the embedded database. */
const databaseRules = ["DATABASE_OWNER_URL", "DATABASE_DIRECT_URL"].map(
  (name): Rule => ({
    beside: [name],
    because: `${name} is set`,
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
    // With the embedded database, the service generates missing secrets. With another database, they must be set.
    beside: ["DATABASE_URL"],
    because: "DATABASE_URL is set",
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
    // With incomplete S3 settings, the service would silently store files on this machine.
    beside: [...Object.keys(S3), "S3_PUBLIC_ENDPOINT", "S3_REGION"],
    because: "another S3_* setting is set",
    needs: S3,
  },
  {
    // There is no default sender: recipients see the address, and bounces go there.
    beside: ["SMTP_URL"],
    because: "SMTP_URL is set",
    needs: { MAIL_FROM: "the sender of emails, such as no-reply@example.org" },
  },
  {
    beside: ["TLS_CERT_FILE", "TLS_KEY_FILE", "TLS_CLIENT_CA_FILE"],
    because: "another TLS_* setting is set",
    needs: { TLS_CERT_FILE: "", TLS_KEY_FILE: "" },
  },
  {
    // Anyone could impersonate a client that has no secret.
    beside: ["OIDC_ISSUER", "OPENEDX_URL"],
    because: "OIDC_ISSUER or OPENEDX_URL is set",
    needs: { OIDC_CLIENT_ID: OIDC_CLIENT, OIDC_CLIENT_SECRET: OIDC_CLIENT },
  },
  {
    // An organisation without keys of its own uses the service's keys.
    beside: ["ISSUERS_FILE"],
    when: ({ DATABASE_URL }) => DATABASE_URL !== undefined,
    because: "ISSUERS_FILE is set",
    needs: {
      "SIGNING_KEY_FILES or SETTINGS_SECRET":
        "the keys for all other organisations, or the secret with which the service encrypts the keys that it creates",
    },
  },
  {
    beside: ["PDF_SEAL_CERT_FILE", "PDF_SEAL_KEY_FILE"],
    because: "another PDF_SEAL_*_FILE setting is set",
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
    because: "WITNESS_KEY_FILE is set",
    needs: { LOG_POLICY_FILE: "it names the logs that are witnessed" },
  },
  {
    // Platforms embed our pages in HTTPS pages. In those, browsers only load frames over HTTPS.
    beside: ["LTI_SECRET"],
    because: "LTI_SECRET is set, and must start with https://",
    needs: { PUBLIC_URL: "platforms redirect browsers there" },
    isMissing: ({ PUBLIC_URL }) => PUBLIC_URL === undefined || !isTamperProof(PUBLIC_URL),
  },
];

/** Lists missing settings that other settings require, one sentence each. */
export function missingSettings(texts: SettingTexts): string[] {
  return rules.flatMap((rule) => missingBy(rule, texts));
}

/** Lists missing settings that are required even for work that uses only the database. */
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

/** Returns whether connections to the URL are safe from tampering: it uses HTTPS, or refers to this machine. */
export function isTamperProof(text: string): boolean {
  if (!URL.canParse(text)) return true; // reported elsewhere
  const { protocol, hostname } = new URL(text);
  return protocol !== "http:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
