/** Everything that the console says, in one language. `{…}` are places that the console fills. */
export interface ConsoleWording {
  readonly shell: {
    readonly skip: string;
    readonly navigation: string;
    readonly menu: string;
    readonly overview: string;
    readonly credentials: string;
    readonly learners: string;
    readonly contexts: string;
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
    readonly again: string;
  };
}
