import type { OrganisationIssuers, SealFiles } from "./organisation-issuers.js";

/** Settings for keys, certificates and timestamps. */
export interface KeySettings {
  readonly dataDir: string;
  /** Undefined: the embedded database; keys are then created next to it. */
  readonly databaseUrl: string | undefined;
  /** Key files of the service itself. The first one of each kind signs. */
  readonly signingKeyFiles: readonly string[];
  readonly issuers: OrganisationIssuers;
  /** The seal of the service itself for PDFs. */
  readonly seal: SealFiles | undefined;
  readonly timestamps: {
    /** Whether seals have a timestamp. */
    readonly level: "off" | "best-effort" | "required";
    /** URLs of timestamp authorities, in order of preference. */
    readonly urls: readonly string[];
    /** CA certificates of trusted authorities; undefined: all are trusted. */
    readonly caFile: string | undefined;
  };
  readonly logKeyFile: string | undefined;
  readonly logPolicyFile: string | undefined;
  readonly witnessKeyFile: string | undefined;
}
