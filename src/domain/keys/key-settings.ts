import type { OrganisationIssuers, SealFiles } from "./organisation-issuers.js";

/** What the settings say of keys, certificates and timestamps. */
export interface KeySettings {
  readonly dataDir: string;
  /** Undefined: the embedded database, beside which keys are created. */
  readonly databaseUrl: string | undefined;
  /** Of the service itself. Of each kind, the first one signs. */
  readonly signingKeyFiles: readonly string[];
  readonly issuers: OrganisationIssuers;
  /** The service's own seal of PDFs. */
  readonly seal: SealFiles | undefined;
  readonly timestamps: {
    /** Whether seals have one. */
    readonly level: "off" | "best-effort" | "required";
    /** Addresses of timestamp authorities, in order of preference. */
    readonly urls: readonly string[];
    /** Certificates of the authorities that are trusted; undefined: all are. */
    readonly caFile: string | undefined;
  };
  readonly logKeyFile: string | undefined;
  readonly logPolicyFile: string | undefined;
  readonly witnessKeyFile: string | undefined;
}
