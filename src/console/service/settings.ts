/** What the service tells the console with its page. */
export interface ConsoleSettings {
  readonly platformName: string;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `/console/sign-in` leads to a provider. */
  readonly hasProvider: boolean;
  /** Whom to ask for a sign-in link: an email address, or an address with https. Empty: not known. */
  readonly contact: string;
}

/** The settings of this page. */
export const settings: ConsoleSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="console-settings"]')?.content ?? "{}",
);
