/** What a mail says, in both of its forms. */
export interface Message {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
