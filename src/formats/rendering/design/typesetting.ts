/** Rules of typesetting that have changed since an earlier edition. Documents keep the rules of their edition. */
export interface Typesetting {
  /** True if lines end between phrases where possible. */
  readonly keepsPhrases: boolean;
  /** The title keeps this share of its size beside a long name and in a full block, if everything fits. */
  readonly minTitleShare: number;
  /** True if labels keep their distance from the ink of tall and deep scripts. */
  readonly clearsInk: boolean;
  /** True if all signatures have the same text sizes, and their lines end at the edge of their area. */
  readonly alignsSignatures: boolean;
  /** True if words whose letters are joined appear only once on a seal, so that none of them is upside down. */
  readonly keepsSealUpright: boolean;
}

const first: Typesetting = {
  keepsPhrases: false,
  minTitleShare: 0,
  clearsInk: false,
  alignsSignatures: false,
  keepsSealUpright: false,
};

const current: Typesetting = {
  keepsPhrases: true,
  minTitleShare: 0.8,
  clearsInk: true,
  alignsSignatures: true,
  keepsSealUpright: true,
};

export function typesettingOf(edition: number): Typesetting {
  return edition === 1 ? first : current;
}
