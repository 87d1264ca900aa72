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
  readonly newType: string;
  readonly likeThis: string;
  readonly create: string;
  /** It says that a type alone issues nothing. */
  readonly createMeans: string;
  readonly deleteType: string;
  readonly deleteTypeMeans: string;
  /** Why a type can't be deleted. */
  readonly stillOffered: string;
  readonly offer: string;
  readonly offerNow: string;
  readonly contextKey: string;
  readonly contextKeyMeans: string;
  readonly offerMeans: string;
  readonly stopOffering: string;
  readonly stopOfferingMeans: string;
  readonly schedule: ScheduleWording;
}

/** The words about when runs start by themselves. */
export interface ScheduleWording {
  readonly title: string;
  readonly means: string;
  readonly byHand: string;
  readonly everyDays: string;
  readonly byCron: string;
  readonly once: string;
  readonly days: string;
  readonly cron: string;
  readonly cronMeans: string;
  readonly zone: string;
  readonly zoneMeans: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly atOnce: string;
  /** `{zone}` */
  readonly inZone: string;
  readonly next: string;
  readonly never: string;
  readonly problem: string;
  readonly change: string;
  readonly save: string;
}
