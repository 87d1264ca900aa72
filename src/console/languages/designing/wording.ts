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
  readonly asJson: string;
  readonly yes: string;
  readonly no: string;
  readonly notSet: string;
  /** A choice beside yes and no. */
  readonly withDetails: string;
  readonly anotherOption: string;
  readonly addOption: string;
  /** `{option}` */
  readonly removeOption: string;
  readonly otherOptions: string;
  readonly lineName: string;
  readonly lineValue: string;
  readonly notNumber: string;
  readonly nameTwice: string;
  /** By the names of options, after those of the options they are in, with points between. */
  readonly optionNames: Readonly<Record<string, string>>;
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
  readonly files: FilesWording;
  readonly schedule: ScheduleWording;
}

/** The words about the files that designs use. */
export interface FilesWording {
  readonly title: string;
  readonly means: string;
  readonly none: string;
  readonly noneMeans: string;
  readonly slug: string;
  readonly slugMeans: string;
  readonly kind: string;
  /** By `AssetKind`. */
  readonly kinds: Readonly<Record<number, string>>;
  readonly size: string;
  /** `{number}` */
  readonly kilobytes: string;
  readonly uploaded: string;
  readonly upload: string;
  readonly file: string;
  readonly fileMeans: string;
  /** It says that credentials which were issued keep theirs. */
  readonly replaces: string;
  readonly uploadNow: string;
  readonly remove: string;
  readonly removeNow: string;
  readonly removeMeans: string;
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
  readonly setBy: string;
  /** Why designers who may not issue can't change everything. */
  readonly issuesUnasked: string;
  readonly change: string;
  readonly save: string;
}
