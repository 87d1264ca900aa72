/** Settings that the service passes to the console in its page. */
export interface ConsoleSettings {
  readonly platformName: string;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `/console/sign-in` redirects to an identity provider. */
  readonly hasProvider: boolean;
  /** Contact for sign-in links: an email address, or an https URL; empty if unknown. */
  readonly contact: string;
}

/** The settings of this page. */
export const settings: ConsoleSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="console-settings"]')?.content ?? "{}",
);
