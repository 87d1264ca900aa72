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
}
