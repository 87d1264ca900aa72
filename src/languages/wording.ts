/**
 * All texts of the service in one language. Placeholders are in braces; no other word may need to agree with
 * them in gender or case.
 */
export interface Wording {
  /** BCP 47. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  /** The name of the language in itself. */
  readonly languageName: string;
  readonly document: DocumentWording;
  readonly mail: MailWording;
  readonly page: PageWording;
}

/**
 * The words of the built-in design that are not facts. None agrees in gender with the credential type, which
 * is free text.
 */
export interface DocumentWording {
  readonly awardedTo: string;
  readonly for: string;
  readonly dateOfIssue: string;
  /** Date of award of the first credential, if this one replaces it. */
  readonly dateOfAward: string;
  /** The last day follows. */
  readonly validUntil: string;
  /** Alternative text of a signature's picture. */
  readonly signature: string;
  /** Labels of facts; each stands alone. */
  readonly grade: string;
  readonly completion: string;
  /** Label of the number of courses in a learning path. */
  readonly steps: string;
  readonly hours: string;
  readonly credits: string;
  readonly learnerId: string;
  /** The URL follows. */
  readonly verifyAt: string;
  /** The UUID follows. */
  readonly identifier: string;
}

/**
 * The words of mails. `{platformName}`, `{credentialType}` and `{learningContextName}` stand for free text.
 */
export interface MailWording {
  /** `{name}` stands for the holder's full name. */
  readonly greeting: string;
  readonly subject: string;
  readonly heading: string;
  readonly introduction: string;
  readonly credentialType: string;
  readonly learningContext: string;
  /** What to do with the link. */
  readonly download: string;
  /** What anyone with the link can do. */
  readonly privacy: string;
  /** The mail about a credential's expiry; `{lastDay}` stands for a day in words. */
  readonly expirySubject: string;
  readonly expiryHeading: string;
  readonly expiryIntroduction: string;
  /** What to do with the link to the verification page. */
  readonly expiryLink: string;
  /** A second link, to the verification page. */
  readonly verificationPage: string;
  /** Words of a link to the page that hands the credential to a wallet. */
  readonly walletPage: string;
  /** The mail about a credential that was issued in place of another one. */
  readonly replacementSubject: string;
  readonly replacementHeading: string;
  readonly replacementIntroduction: string;
  /** The mail about the withdrawal of a credential; `{reason}` stands for free text. */
  readonly withdrawalSubject: string;
  readonly withdrawalHeading: string;
  readonly withdrawalIntroduction: string;
  readonly withdrawalReason: string;
  readonly withdrawalContact: string;
}

/** The words of pages. `{platformName}`, `{username}` and `{address}` stand for free text, `{date}` for a day in words. */
export interface PageWording {
  /** Label of the list of languages. */
  readonly languages: string;

  readonly verification: string;
  readonly genuine: string;
  readonly genuineMeans: string;
  /** A genuine credential whose learner was erased. */
  readonly nameUnconfirmed: string;
  readonly nameUnconfirmedMeans: string;
  readonly invalidated: string;
  readonly invalidatedMeans: string;
  /** An invalidated credential, in whose place another one was issued. */
  readonly wasReplaced: string;
  readonly wasReplacedMeans: string;
  /** A credential that was imported from another system on `{date}`. */
  readonly elsewhere: string;
  readonly elsewhereMeans: string;
  readonly elsewhereUnconfirmedMeans: string;
  readonly elsewhereInvalidatedMeans: string;
  /** A genuine credential whose last day of validity, `{lastDay}` in words, has passed. */
  readonly expired: string;
  readonly expiredMeans: string;
  readonly elsewhereExpiredMeans: string;
  readonly notFound: string;
  readonly notFoundMeans: string;

  readonly holder: string;
  readonly nameRemoved: string;
  readonly learningContext: string;
  readonly credentialType: string;
  readonly issuer: string;
  /** Replaces the name of an imported credential's issuer, if it is unknown. */
  readonly issuerNotNamed: string;
  readonly takenOver: string;
  readonly issued: string;
  readonly status: string;
  readonly statusAvailable: string;
  readonly statusInvalidated: string;
  readonly statusExpired: string;
  readonly statusReplaced: string;
  /** The last day follows. */
  readonly validUntil: string;
  /** Link to the page of the credential that renews this one. */
  readonly renewed: string;
  readonly seeRenewal: string;
  /** Label of the day on which it was invalidated. */
  readonly withdrawn: string;
  /** Link to the page of the credential that was issued in place of this one. */
  readonly replaced: string;
  readonly seeReplacement: string;
  readonly reason: string;
  readonly identifier: string;
  readonly checked: string;

  readonly fileCheck: string;
  readonly fileCheckMeans: string;
  readonly chooseFile: string;
  readonly dropFile: string;
  readonly fileChecking: string;
  readonly fileIdentical: string;
  readonly fileIdenticalMeans: string;
  /** The same for an invalidated credential. */
  readonly fileIdenticalInvalidated: string;
  /** The same for an expired credential. */
  readonly fileIdenticalExpired: string;
  /** The same four for a credential that was imported from another system. */
  readonly fileTakenOver: string;
  readonly fileTakenOverMeans: string;
  readonly fileTakenOverInvalidated: string;
  readonly fileTakenOverExpired: string;
  readonly fileDifferent: string;
  readonly fileDifferentMeans: string;
  readonly fileUnreadable: string;
  readonly byHand: string;
  readonly byHandChecksum: string;
  readonly byHandCommands: string;

  /** Label for checking any file, on the page with the form. */
  readonly anyFile: string;
  readonly anyFileMeans: string;
  readonly anyFileUnscripted: string;
  readonly chooseAnyFile: string;
  readonly anyFileChecking: string;
  readonly anyGenuine: string;
  readonly anyGenuineMeans: string;
  readonly anyWithdrawn: string;
  readonly anyWithdrawnMeans: string;
  readonly anyBadgeGenuine: string;
  readonly anyBadgeGenuineMeans: string;
  readonly anyBadgeWithdrawnMeans: string;
  readonly anyBadgeOnly: string;
  readonly anyAltered: string;
  readonly anyAlteredMeans: string;
  readonly anyForeign: string;
  readonly anyForeignMeans: string;
  readonly anyUnknown: string;
  readonly anyUnknownMeans: string;
  readonly anyUnchecked: string;
  readonly anyUncheckedMeans: string;

  readonly forHolder: string;
  readonly addToLinkedIn: string;
  /** The page that hands a credential to a wallet. */
  readonly wallet: string;
  readonly walletMeans: string;
  readonly openLearnerWallet: string;
  readonly openOtherWallet: string;
  readonly walletPrivacy: string;
  /** Why wallets can't have a credential: withdrawn, erased, issued by another system, of a type without badges; no HTTPS. */
  readonly walletInvalidated: string;
  readonly walletErased: string;
  readonly walletElsewhere: string;
  readonly walletNone: string;
  readonly walletNoHttps: string;
  readonly link: string;
  readonly copyLink: string;
  readonly linkCopied: string;

  readonly verifyAnother: string;
  readonly trustAddress: string;
  readonly form: string;
  readonly formMeans: string;
  readonly formExample: string;
  readonly verify: string;
  readonly unreadableIdentifier: string;

  readonly download: string;
  readonly linkLeadsNowhere: string;
  readonly downloadInvalidated: string;
  readonly downloadUnavailable: string;
  readonly downloadNotFound: string;
  readonly downloadRefused: string;

  /** The page with a learner's own credentials. */
  readonly myCredentials: string;
  readonly myCredentialsMean: string;
  readonly noCredentials: string;
  /** Link to the next page. */
  readonly moreCredentials: string;
  readonly downloadFile: string;
  /** Link to the verification page. */
  readonly seeForOthers: string;
  /** Words of a link to the page that hands the credential to a wallet. */
  readonly toWallet: string;
  readonly statusGenerating: string;

  /** The pages that answer who could not sign in to the console. */
  readonly signIn: string;
  readonly notSignedIn: string;
  readonly signInNotBegun: string;
  readonly signInCancelled: string;
  readonly signInNotProven: string;
  readonly providerOutOfReach: string;
  /** `{claims}` stands for the names of claims. */
  readonly notStaff: string;
  readonly notAPerson: string;
  readonly signInRefused: string;
  readonly backToConsole: string;

  readonly onlyGet: string;
  readonly outOfReach: string;
  readonly fault: string;
}
