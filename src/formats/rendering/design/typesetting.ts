/** Rules of typesetting that have changed since an earlier edition. Documents keep the rules of their edition. */
export interface Typesetting {
  /** True if lines end between phrases where possible. */
  readonly keepsPhrases: boolean;
  /** Share of its size that the title keeps next to a long name or in a full block, if everything then still fits. */
  readonly minTitleShare: number;
  /** True if labels keep their distance from the ink of tall and deep scripts. */
  readonly clearsInk: boolean;
  /**
   * True if all signatures have the same text sizes, and the outer signature lines end at the edges of the signatures'
   * area.
   */
  readonly alignsSignatures: boolean;
  /**
   * True if words in a script with joined letters, such as Arabic, appear only once on a seal. If they appeared twice,
   * one of them would be upside down.
   */
  readonly keepsSealUpright: boolean;
  /** True if the built-in design shows the first two `signatories`, instead of only the option `signatory`. */
  readonly showsSignatories: boolean;
  /** True if the built-in design has one rosette behind the name, instead of two that the frame cuts off. */
  readonly centresRosette: boolean;
  /** True if the built-in design sets the name in italics, so that it differs from the title. */
  readonly contrastsName: boolean;
  /**
   * True if the QR code of the built-in design is smaller and in the accent colour, and the credential ID, whose short
   * form is in the address, isn't printed.
   */
  readonly quietsCode: boolean;
  /** True if the lines between facts move closer together when the facts shrink. */
  readonly shrinksTables: boolean;
}

const first: Typesetting = {
  keepsPhrases: false,
  minTitleShare: 0,
  clearsInk: false,
  alignsSignatures: false,
  keepsSealUpright: false,
  showsSignatories: false,
  centresRosette: false,
  contrastsName: false,
  quietsCode: false,
  shrinksTables: false,
};

const current: Typesetting = {
  keepsPhrases: true,
  minTitleShare: 0.8,
  clearsInk: true,
  alignsSignatures: true,
  keepsSealUpright: true,
  showsSignatories: true,
  centresRosette: true,
  contrastsName: true,
  quietsCode: true,
  shrinksTables: true,
};

export function typesettingOf(edition: number): Typesetting {
  return edition === 1 ? first : current;
}
