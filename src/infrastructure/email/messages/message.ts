/** A picture in an email. */
export interface Logo {
  readonly kind: "png" | "jpeg";
  readonly bytes: Uint8Array;
}

/** The contents of an email, as text and as HTML. */
export interface Message {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Shown in the HTML as `cid:logo`. */
  readonly logo?: Logo;
  /** A PNG of the document, shown in the HTML as `cid:certificate`. */
  readonly picture?: Uint8Array;
}
