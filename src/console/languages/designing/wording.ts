/** The words about credential types and configurations, and about editing them. `{…}` are filled. */
export interface DesigningWording {
  readonly typesMean: string;
  readonly none: string;
  readonly noneMeans: string;
  readonly name: string;
  readonly eligibility: string;
  readonly design: string;
  readonly offeredIn: string;
  readonly notOffered: string;
  readonly options: string;
  readonly ownOptions: string;
  readonly ownOptionsMean: string;
  readonly optionsOfType: string;
  readonly knownOptions: string;
  readonly preview: string;
  readonly previewAgain: string;
  readonly save: string;
  /** It says that only new credentials follow a change. */
  readonly saveMeans: string;
  readonly saved: string;
  readonly unsaved: string;
  readonly discard: string;
  readonly notJson: string;
  /** `{line}`, `{column}` */
  readonly notJsonAt: string;
  readonly notAnObject: string;
  /** Why staff of some organisations can't change a type. */
  readonly sharedByAll: string;
  readonly conflict: string;
  readonly conflictMeans: string;
  readonly part: string;
  readonly before: string;
  readonly theirs: string;
  readonly mine: string;
  readonly absent: string;
  readonly merge: string;
  readonly copyMine: string;
}
