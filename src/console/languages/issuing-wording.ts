/** A number in a phrase, in the forms of its language. */
export type Counted = (n: number) => string;

/** Why somebody has no credential, or gets none from a run; the names are those of `SkipReason`. */
export interface ReasonWording {
  readonly hasCredential: string;
  readonly notEarnedAnew: string;
  readonly noFullName: string;
  readonly unprintableName: string;
  readonly withdrawn: string;
  readonly unknownLearner: string;
  readonly notEligible: string;
  readonly invalid: string;
  readonly repeated: string;
  readonly unknown: string;
}

/** What the console says about issuing to many: runs, lists, and who has got none. `{…}` are filled. */
export interface IssuingWording {
  readonly reasons: ReasonWording;
  readonly configuration: string;
  readonly chooseConfiguration: string;
  readonly noConfigurations: string;
  readonly noConfigurationsMeans: string;
  readonly learner: string;
  readonly reason: string;
  readonly firstOnly: Counted;

  readonly runs: {
    readonly start: string;
    readonly empty: string;
    readonly emptyMeans: string;
    readonly started: string;
    readonly startedBy: string;
    readonly state: string;
    readonly issued: string;
    readonly available: string;
    readonly generating: string;
    readonly failed: string;
    readonly states: { readonly running: string; readonly complete: string; readonly cancelled: string };
    readonly listed: Counted;
    readonly withoutCheck: string;
  };
  readonly plan: {
    readonly working: string;
    readonly willIssue: Counted;
    readonly nothing: string;
    readonly nothingMeans: string;
    readonly retries: Counted;
    readonly who: string;
    readonly passedOver: string;
    readonly nobodyPassedOver: string;
    readonly warnings: string;
    readonly samples: string;
    /** `{name}` */
    readonly sampleFor: string;
    readonly issue: Counted;
    readonly told: string;
    readonly changed: string;
    readonly changedMeans: string;
    /** `{before}` and `{now}` are numbers. */
    readonly changedCount: string;
    readonly joined: string;
    readonly left: string;
  };
  readonly run: {
    /** `{type}` */
    readonly title: string;
    readonly progress: string;
    /** `{done}` and `{all}` are numbers. */
    readonly done: string;
    readonly ended: string;
    readonly live: string;
    readonly interrupted: string;
    readonly failures: string;
    readonly failuresWith: Counted;
    readonly retry: Counted;
    readonly cancel: string;
    readonly cancelHeading: string;
    readonly cancelMeans: Counted;
    readonly keepRunning: string;
    readonly skipped: string;
    readonly credentials: string;
  };
  readonly zip: {
    readonly download: Counted;
    /** `{done}` and `{all}` are numbers. */
    readonly working: string;
    readonly stop: string;
    readonly tooMany: Counted;
    readonly tooLarge: string;
    readonly missing: Counted;
    readonly saved: Counted;
  };
  readonly list: {
    readonly means: string;
    readonly paste: string;
    readonly pasteHint: string;
    readonly file: string;
    readonly drop: string;
    readonly clear: string;
    readonly faults: {
      readonly workbook: string;
      readonly binary: string;
      readonly tooLarge: string;
      readonly empty: string;
      readonly tooManyRows: Counted;
      /** `{row}` and `{count}` are numbers. */
      readonly tooManyColumns: string;
      /** `{row}` is a number. */
      readonly openQuote: string;
      readonly noColumn: string;
    };
    readonly readAs: string;
    readonly encoding: string;
    readonly encodings: {
      readonly "utf-8": string;
      readonly "utf-16le": string;
      readonly "utf-16be": string;
      readonly "windows-1252": string;
      readonly "windows-1251": string;
      readonly "windows-1256": string;
      readonly macintosh: string;
    };
    readonly delimiter: string;
    readonly delimiters: {
      readonly ",": string;
      readonly ";": string;
      readonly "\t": string;
      readonly "|": string;
    };
    readonly hasHeadings: string;
    readonly columns: string;
    /** `{n}` is a number. */
    readonly column: string;
    readonly meanings: {
      readonly username: string;
      readonly email: string;
      readonly fullName: string;
      readonly givenName: string;
      readonly familyName: string;
      readonly ignored: string;
    };
    readonly row: string;
    readonly rows: Counted;
    readonly skipCheck: string;
    readonly skipCheckMeans: string;
    readonly addLearners: string;
    readonly addLearnersMeans: string;
    readonly judging: string;
    readonly judged: string;
    readonly outcome: string;
    readonly ready: string;
    readonly readyNew: string;
    readonly noUsername: string;
    readonly malformedEmail: string;
    /** `{row}` is a number. */
    readonly listedTwice: string;
    readonly show: string;
    readonly more: Counted;
    readonly rejects: Counted;
    readonly rejectsFile: string;
    readonly nobodyReady: string;
  };
  readonly without: {
    readonly title: string;
    readonly means: string;
    readonly waiting: string;
    readonly missing: string;
    readonly empty: string;
    readonly filter: string;
  };
}
