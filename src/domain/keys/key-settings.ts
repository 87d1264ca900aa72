import type { OrganisationIssuers, SealFiles } from "./organisation-issuers.js";

export interface KeySettings {
  readonly dataDir: string;
  /** Undefined for the embedded database. Keys are then created next to it. */
  readonly databaseUrl: string | undefined;
  readonly signsBadges: boolean;
  /** Key files of the service itself. The first one of each kind signs. */
  readonly signingKeyFiles: readonly string[];
  readonly issuers: OrganisationIssuers;
  /** The service's own seal for PDFs. */
  readonly seal: SealFiles | undefined;
  readonly timestamps: {
    /** Whether seals have a timestamp. */
    readonly level: "off" | "best-effort" | "required";
    /** Timestamp authorities, in order of preference. */
    readonly urls: readonly string[];
    /** File with the CA certificates of trusted timestamp authorities; undefined to trust all authorities. */
    readonly caFile: string | undefined;
  };
  readonly logKeyFile: string | undefined;
  readonly logPolicyFile: string | undefined;
  readonly witnessKeyFile: string | undefined;
}
