/**
 * The words of our mails in one language. `{platformName}`, `{credentialType}` and `{learningContextName}` stand for free
 * text: nothing may have to agree with them in gender or case.
 *
 * A language is a file in `languages/`, named by its BCP 47 tag, that exports its `wording`.
 */
export interface Wording {
  readonly direction: "ltr" | "rtl";
  readonly subject: string;
  readonly heading: string;
  readonly introduction: string;
  readonly credentialType: string;
  readonly learningContext: string;
  /** What to do with the link. */
  readonly download: string;
  /** What whoever holds the link can do. */
  readonly privacy: string;
}
