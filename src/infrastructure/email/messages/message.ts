export interface Logo {
  readonly kind: "png" | "jpeg";
  readonly bytes: Uint8Array;
}

export interface EmailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Shown in the HTML as `cid:logo`. */
  readonly logo?: Logo;
  /** A picture of the document. In emails that are sent, it is a PNG. Shown in the HTML as `cid:certificate`. */
  readonly picture?: Uint8Array;
}
