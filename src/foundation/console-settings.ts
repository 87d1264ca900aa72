/** Settings that the console's page contains. */
export interface ConsoleSettings {
  readonly platformName: string;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `/console/sign-in` redirects to an identity provider. */
  readonly hasProvider: boolean;
  /** Whom to contact for a sign-in link: an email address or https URL; empty if unknown. */
  readonly contact: string;
}
