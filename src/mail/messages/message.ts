/** The contents of a mail, as text and as HTML. */
export interface Message {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
