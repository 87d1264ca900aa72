/** Why a credential can't be linked as a replacement. */
export type UnfitReason = "itself" | "otherLearner" | "notAvailable" | "replacesAnother";

/** What the console says about linking a withdrawn credential to the one that was issued in its place. */
export interface ReplacementWording {
  readonly title: string;
  readonly means: string;
  readonly search: string;
  readonly searchHelp: string;
  readonly found: string;
  readonly none: string;
  readonly noneMeans: string;
  readonly unfit: Readonly<Record<UnfitReason, string>>;
  readonly wouldHappen: string;
  /** The page of the withdrawn one. */
  readonly oldPage: string;
  /** The page of its replacement. */
  readonly newPage: string;
  readonly link: string;
}
