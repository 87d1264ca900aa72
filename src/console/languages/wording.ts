import type { IssuingWording } from "./issuing-wording.js";
import type { WebhooksWording } from "./webhooks-wording.js";

/** Everything that the console says, in one language. `{…}` are places that the console fills. */
export interface ConsoleWording {
  readonly issuing: IssuingWording;
  readonly webhooks: WebhooksWording;
  readonly shell: {
    readonly skip: string;
    readonly navigation: string;
    readonly menu: string;
    readonly overview: string;
    readonly credentials: string;
    readonly learners: string;
    readonly contexts: string;
    readonly types: string;
    readonly runs: string;
    readonly issueFromList: string;
    readonly events: string;
    readonly mails: string;
    readonly search: string;
    readonly searchHint: string;
    readonly preferences: string;
    readonly language: string;
    readonly theme: string;
    readonly themeSystem: string;
    readonly themeLight: string;
    readonly themeDark: string;
    readonly timeZone: string;
    readonly signedInAs: string;
    readonly signOut: string;
    /** The service can't be reached; nothing that was typed is lost. */
    readonly away: string;
    readonly loading: string;
    readonly noSuchPage: string;
    readonly noSuchPageMeans: string;
  };
  readonly signIn: {
    readonly heading: string;
    /** The link was used before, or is too old. */
    readonly spent: string;
    readonly away: string;
    readonly again: string;
    readonly withProvider: string;
    /** How to get a link, followed by a command. */
    readonly byLink: string;
    readonly orByLink: string;
    /** Stands in the command for a username, in angle brackets. */
    readonly usernamePlaceholder: string;
  };
  readonly parts: {
    readonly copy: string;
    readonly copied: string;
    readonly cancel: string;
    readonly close: string;
    readonly back: string;
    readonly asCommand: string;
    readonly asApiCall: string;
    readonly nextPage: string;
    readonly firstPage: string;
    readonly download: string;
    /** Asks for the number itself, which `{n}` shows. */
    readonly typeNumber: string;
    readonly none: string;
    readonly all: string;
    readonly optional: string;
    readonly working: string;
    readonly documentLoading: string;
    readonly documentFailed: string;
    /** Why a button can't be pressed; `{role}` is one of `roles`. */
    readonly needsRole: string;
    readonly roles: Readonly<Record<"viewer" | "registrar" | "designer" | "admin", string>>;
  };
  /** How a credential stands, in a word or two. */
  readonly standing: Readonly<Record<"generating" | "valid" | "expired" | "error" | "invalidated", string>>;
  readonly credentials: CredentialsWording;
  readonly events: EventsWording;
  readonly search: {
    readonly label: string;
    readonly help: string;
    readonly hits: string;
    readonly nothing: string;
    readonly kinds: Readonly<Record<"credential" | "learner" | "context", string>>;
  };
  readonly learners: LearnersWording;
  readonly contexts: Readonly<
    Record<
      "searchLabel" | "name" | "enrolled" | "configured" | "issued" | "noneFoundMeans" | "noneYetMeans",
      string
    >
  >;
  readonly overview: {
    readonly attention: string;
    readonly calm: string;
    readonly failed: (n: number) => string;
    readonly scheduleFailed: string;
    readonly running: string;
    readonly recent: string;
    readonly firstSteps: string;
    readonly stepRecords: string;
    readonly stepConfigure: string;
    readonly stepIssue: string;
  };
  readonly failures: {
    readonly notFound: string;
    readonly denied: string;
    readonly invalid: string;
    readonly conflict: string;
    readonly busy: string;
    readonly away: string;
    readonly unknown: string;
    readonly requestId: string;
    /** Comes before the words of the service, which are English. */
    readonly inDetail: string;
    readonly again: string;
  };
}

/** The words about credentials. Functions take a number, and use the plural forms of their language. */
export interface CredentialsWording {
  readonly one: string;
  readonly learner: string;
  readonly username: string;
  readonly type: string;
  readonly context: string;
  readonly configuration: string;
  readonly standing: string;
  readonly issued: string;
  readonly issuedBy: string;
  /** Comes before a name, as in `by registrar`. */
  readonly by: string;
  readonly run: string;
  readonly validUntil: string;
  readonly imported: string;
  readonly mail: string;
  readonly mailedOn: string;
  readonly notMailed: string;
  readonly verifyUuid: string;
  readonly uuid: string;
  /** In place of a name that was erased. */
  readonly erasedName: string;
  readonly byStanding: string;
  readonly searchLabel: string;
  readonly find: string;
  readonly filters: string;
  readonly issuedFrom: string;
  readonly issuedTo: string;
  readonly expiresBefore: string;
  readonly apply: string;
  readonly removeFilter: string;
  readonly clearFilters: string;
  readonly exportCsv: string;
  readonly noneFound: string;
  readonly noneFoundMeans: string;
  readonly noneYet: string;
  readonly noneYetMeans: string;
  readonly selectPage: string;
  readonly selectOne: string;
  readonly clearSelection: string;
  readonly invalidate: string;
  readonly reissue: string;
  readonly invalidateOne: string;
  readonly reissueOne: string;
  readonly invalidateMeans: string;
  readonly reissueMeans: string;
  readonly planning: string;
  readonly planChanged: string;
  readonly planAgain: string;
  readonly reason: string;
  readonly reasonIsPublic: string;
  readonly publicWillRead: string;
  readonly isInvalidatedAlready: string;
  readonly downloadPdf: string;
  readonly publicPage: string;
  readonly copyLink: string;
  readonly resendMail: string;
  readonly mailQueued: string;
  readonly linkReplacement: string;
  readonly documentOf: string;
  readonly failedBecause: string;
  readonly invalidatedOn: string;
  readonly toSuccessor: string;
  readonly toPredecessor: string;
  readonly timeline: string;
  readonly before: string;
  readonly after: string;
  readonly sameName: string;
  readonly nameIsThePlatforms: string;
  readonly selected: (n: number) => string;
  readonly allSelected: (n: number) => string;
  readonly selectAllMatching: (n: number) => string;
  readonly invalidateCount: (n: number) => string;
  readonly reissueCount: (n: number) => string;
  readonly wouldInvalidate: (n: number) => string;
  readonly wouldReissue: (n: number) => string;
  readonly invalidated: (n: number) => string;
  readonly reissued: (n: number) => string;
  /** Selected ones that are invalidated already, or still being made. */
  readonly passedOver: (n: number) => string;
  readonly refused: (n: number) => string;
  readonly atMost: (n: number) => string;
  /** Why there is no document. */
  readonly noDocument: ConsoleWording["standing"];
}

export interface EventsWording {
  /** By the number of the event's type in the API. */
  readonly types: Readonly<Record<number, string>>;
  readonly remarks: Readonly<Record<number, string>>;
  /** Actors that are no person, by the API's name. */
  readonly system: Readonly<Record<string, string>>;
  readonly unknown: string;
  readonly type: string;
  readonly actor: string;
  readonly time: string;
  readonly none: string;
  readonly noneMeans: string;
}

export interface LearnersWording {
  readonly searchLabel: string;
  readonly name: string;
  readonly email: string;
  readonly enrolledIn: string;
  readonly noneFoundMeans: string;
  readonly noneYetMeans: string;
  readonly noRecord: string;
  readonly recordFromApi: string;
  readonly recordFrom: (connector: string) => string;
  /** @param what words of `differs` */
  readonly clash: (connector: string, what: string) => string;
  /** What a connector tells otherwise than the owner of a learner's record. */
  readonly differs: Readonly<Record<"name" | "address" | "active" | "retired", string>>;
  readonly noCredentials: string;
  readonly noContexts: string;
  readonly allCredentials: string;
  readonly moreContexts: string;
  readonly notEnrolled: string;
  readonly course: string;
  readonly completion: string;
  readonly total: string;
  readonly eligible: string;
  readonly notEligible: string;
  readonly hasOne: string;
  /** How much there is of what is needed: `{now}` and `{needed}` are percentages. */
  readonly nowOf: string;
  readonly erase: string;
  readonly eraseTitle: string;
  readonly wouldErase: string;
  readonly erasedStays: string;
  readonly eraseMeans: string;
  readonly typeUsername: string;
  readonly eraseNow: string;
  readonly erased: string;
  readonly erasedRecords: string;
  readonly erasedCredentials: string;
  readonly erasedFiles: string;
  readonly erasedActorEntries: string;
}
