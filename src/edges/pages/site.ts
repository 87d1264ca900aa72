import type { IncomingMessage } from "node:http";

/** What all pages know of the service. */
export interface Site {
  /** Who issues its credentials. */
  readonly platformName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag, for visitors whose languages we don't speak. */
  readonly language: string;
  /** Where it is reached from outside, without a slash at its end. */
  publicUrl(): string;
  /** Counts a request to a page; after how many seconds its client may send the next, if he has sent too many. */
  countVisit(request: IncomingMessage): number | undefined;
}
