/** The states of a mail, as addresses name them. */
export type MailStateName = "waiting" | "sent" | "refused" | "no-address" | "dropped";

/** What the console says about mails. `{…}` are places that the console fills. */
export interface MailsWording {
  readonly means: string;
  readonly byState: string;
  readonly state: string;
  readonly states: Readonly<Record<MailStateName, string>>;
  /** What a state means, and what to do. */
  readonly meanings: Readonly<Record<MailStateName, string>>;
  readonly queued: string;
  readonly changed: string;
  readonly action: string;
  readonly resent: (n: number) => string;
  readonly ofCredential: string;
  readonly noneYet: string;
  readonly noneYetMeans: string;
  readonly noneInState: string;
  readonly showAll: string;
  readonly resendTitle: string;
  readonly resendMeans: string;
  readonly to: string;
  readonly noAddress: string;
  readonly noRecord: string;
  readonly soFar: string;
  readonly neverSent: string;
  readonly isWaiting: string;
  readonly sendAgain: string;
}
