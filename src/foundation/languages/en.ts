/**
 * The words of documents, of designs to start from, of mails and pages. Placeholders are in braces: they stand for free text, but `{date}` and
 * `{lastDay}` for a day in words. No word may need to agree with them in gender or case.
 */
export const words = {
  document: {
    awardedTo: "is awarded to",
    for: "for",
    forCompleting: "for completing",
    forAttending: "for taking part in",
    dateOfIssue: "Date of issue",
    dateOfAward: "Date of award",
    validUntil: "Valid until",
    completion: "Completion",
    signature: "Signature",
    grade: "Grade",
    hours: "Hours",
    credits: "Credits",
    learnerId: "Learner ID",
    steps: "Courses",
    verifyAt: "Verify at",
    identifier: "Credential ID",
    contact: "Contact",
    imprint: "Legal notice",
  },

  design: {
    classic: "Classic",
    classicMeans:
      "Centred serif type in a double frame with cut corners and a quiet seal. For most certificates.",
    modern: "Modern",
    modernMeans:
      "Sans serif from the left, with a coloured edge and rings. For schools of technology, business and design.",
    minimal: "Minimal",
    minimalMeans: "The name on much white, with thin lines. For those whose name needs no ornament.",
    diploma: "Diploma",
    diplomaMeans: "An engraved frame, and a seal between two signatures. For degrees and diplomas.",
    portrait: "Portrait",
    portraitMeans: "Upright, with room for arms, a rosette and an engraved seal. For folders and walls.",
    bilingual: "Bilingual",
    bilingualMeans: "Title, phrases and date in two languages. For joint programmes and international use.",
    "micro-credential": "Micro-credential",
    "micro-credentialMeans":
      "A coloured panel with a badge, and the results as a table. For short courses with credits.",
    attendance: "Attendance",
    attendanceMeans:
      "Upright and plain: who took part in what, and for how long. For workshops and training.",
    engraved: "Engraved",
    engravedMeans:
      "The built-in design: a guilloche frame, rosettes and a seal. Accent, logo and one signature can be set.",
  },

  mail: {
    greeting: "Hello {name},",
    subject: "{platformName}: your credential for {learningContextName} is available",
    heading: "Your credential is available",
    introduction: "Congratulations! {platformName} has issued a credential to you.",
    credentialType: "Credential: {credentialType}",
    learningContext: "Course or learning path: {learningContextName}",
    download: "Download your credential",
    privacy: "The download link is personal: anyone who has it can download your credential.",
    expirySubject: "{platformName}: your credential for {learningContextName} expires soon",
    expiryHeading: "Your credential expires soon",
    expiryIntroduction: "Your credential from {platformName} is valid until {lastDay}.",
    expiryLink: "See your credential",
    verificationPage: "View and share it",
    walletPage: "Keep it in a wallet app",
    replacementSubject: "{platformName}: your credential for {learningContextName} was replaced",
    replacementHeading: "Your credential was replaced",
    replacementIntroduction:
      "{platformName} has issued a new credential to you. It replaces your earlier one, which is no longer valid: please use only the new one.",
    withdrawalSubject: "{platformName}: your credential for {learningContextName} was withdrawn",
    withdrawalHeading: "Your credential was withdrawn",
    withdrawalIntroduction:
      "{platformName} has withdrawn a credential that was issued to you. It is no longer valid.",
    withdrawalReason: "Reason: {reason}",
    withdrawalContact: "If you think that this is a mistake, contact {platformName}.",
    contact: "Contact",
    imprint: "Legal notice",
  },

  page: {
    contact: "Contact",
    imprint: "Legal notice",
    languages: "Language",

    verification: "Credential verification",
    genuine: "This credential is genuine",
    genuineMeans: "{platformName} issued it, and it is valid.",
    nameUnconfirmed: "The name can no longer be confirmed",
    nameUnconfirmedMeans:
      "{platformName} issued this credential, and it is valid. The holder’s name was removed at their request, so a copy that leads here may bear any name. Do not rely on the name on a document alone.",
    invalidated: "This credential was invalidated",
    invalidatedMeans: "{platformName} issued it and has withdrawn it since. It is no longer valid.",
    wasReplaced: "This credential was replaced",
    wasReplacedMeans:
      "{platformName} issued a new one in its place, usually to correct a detail. Rely on the new one: this one is no longer valid.",
    elsewhere: "This credential was issued elsewhere",
    elsewhereMeans: "{platformName} took it over on {date}, and it is valid.",
    elsewhereUnconfirmedMeans:
      "This credential was issued elsewhere. {platformName} took it over on {date}, and it is valid. The holder’s name was removed at their request, so a copy that leads here may bear any name. Do not rely on the name on a document alone.",
    elsewhereInvalidatedMeans:
      "It was issued elsewhere, and {platformName} took it over on {date}. It is no longer valid.",
    expired: "This credential has expired",
    expiredMeans: "{platformName} issued it, and it was valid until {lastDay}.",
    elsewhereExpiredMeans:
      "It was issued elsewhere, and {platformName} took it over on {date}. It was valid until {lastDay}.",
    notFound: "Credential not found",
    notFoundMeans:
      "{platformName} does not know a credential with this ID. Compare it with the document, character by character. If it is the same, do not trust the document.",

    holder: "Holder",
    nameRemoved: "Name removed at the holder’s request",
    course: "Course",
    learningPath: "Learning path",
    credentialType: "Credential",
    issuer: "Issued by",
    issuerNotNamed: "Another institution, which is not named",
    sealedBy: "PDF sealed by",
    logProof: "Proof for later",
    logProofMeans:
      "The issuer’s public log has had exactly this file since {date} at the latest. Keep the proof with the file: anybody can check both without this page, even if it is gone.",
    downloadLogProof: "Download the proof",
    noLogProof: "There is no proof of this credential: it is too new, no longer in force, or not in the log.",
    anyProofAlone: "Now choose the PDF as well",
    anyProofAloneMeans: "This is a proof. It needs the PDF to which it belongs.",
    anyLogged: "The proof holds",
    anyLoggedMeans:
      "Exactly this PDF is in the public log {origin}. Whether the credential is still in force, the proof can’t tell.",
    anyNotLogged: "The proof does not hold",
    anyNotLoggedMeans: "It belongs to another file, was changed, or is of another issuer’s log.",
    takenOver: "Taken over by",
    issued: "Date of issue",
    status: "Status",
    statusAvailable: "Valid",
    statusInvalidated: "Invalidated",
    statusExpired: "Expired",
    statusReplaced: "Replaced",
    validUntil: "Valid until",
    renewed: "Renewed",
    seeRenewal: "See the credential that renews it",
    withdrawn: "Withdrawn on",
    replaced: "Replaced by",
    seeReplacement: "See the credential that replaces it",
    reason: "Reason",
    identifier: "Credential ID",
    checked: "Checked",
    skills: "Skills",
    credits: "Credits",
    notConfirmedHere: "Not confirmed on this page",
    otherDetails: "Other details on the document",
    fieldOfStudy: "Field of study",
    definedBy: "Defined by",

    fileCheck: "Is this file the original?",
    fileCheckMeans:
      "If you were sent a PDF, compare it with the one that was issued. Your browser does that: the file stays on your device.",
    chooseFile: "Choose the PDF",
    dropFile: "or drop it here",
    fileChecking: "Comparing…",
    fileIdentical: "This is the original",
    fileIdenticalMeans: "The file is identical to the one that was issued.",
    fileIdenticalInvalidated:
      "The file is identical to the one that was issued, but the credential was invalidated.",
    fileIdenticalExpired: "The file is identical to the one that was issued, but the credential has expired.",
    fileTakenOver: "This is the file that was taken over",
    fileTakenOverMeans:
      "The file is identical to the one that {platformName} took over on {date}. It was issued elsewhere.",
    fileTakenOverInvalidated:
      "The file is identical to the one that {platformName} took over on {date}, but the credential was invalidated.",
    fileTakenOverExpired:
      "The file is identical to the one that {platformName} took over on {date}, but the credential has expired.",
    fileDifferent: "This is not the file that was issued",
    fileDifferentMeans:
      "It was changed, saved anew, or belongs to another credential. Rely on what this page says, not on the file.",
    fileUnreadable: "The file can’t be read. Choose it again.",
    byHand: "Compare by hand",
    byHandChecksum: "The SHA-256 checksum of the file that was issued is:",
    byHandCommands: "These commands show the checksum of your file:",

    anyFile: "Check a file",
    anyFileMeans:
      "Choose a PDF, a badge as PNG, SVG, JSON or JWT, or a learner record. Your browser checks it: the file stays on your device, and only the checksum of a PDF is sent.",
    anyFileUnscripted:
      "This browser can’t check files here: it needs JavaScript, and a page that came by HTTPS. Enter the credential ID instead.",
    chooseAnyFile: "Choose a file",
    anyFileChecking: "Checking…",
    anyGenuine: "This file is genuine",
    anyGenuineMeans: "It was issued here, is unchanged, and is valid.",
    anyWithdrawn: "This credential is no longer valid",
    anyWithdrawnMeans:
      "The file was issued here and is unchanged, but the credential was withdrawn or has expired.",
    anyEarly: "This credential is not valid yet",
    anyEarlyMeans:
      "The credential was issued here and is unchanged, but it isn’t valid yet, or doesn’t say from when.",
    anyBadgeGenuine: "The badge in this file is genuine",
    anyBadgeGenuineMeans: "The badge was issued here, is unchanged, and is valid.",
    anyBadgeWithdrawnMeans:
      "The badge was issued here and is unchanged, but the credential was withdrawn or has expired.",
    anyBadgeOnly:
      "Nothing around the badge is vouched for: anyone can put a genuine badge into a picture, page or file of their own. Compare the name shown there with the name here.",
    anyRecordGenuine: "This learner record is genuine",
    anyRecordGenuineMeans: "It was put together here and is unchanged, and every credential in it is valid.",
    anyRecordPartly: "Not everything in this record is valid",
    anyRecordPartlyMeans:
      "It was put together here and is unchanged. What was withdrawn since, has expired or can’t be confirmed is named below.",
    anyRecordExpired: "This learner record is out of date",
    anyRecordExpiredMeans:
      "It was put together here and is unchanged, but its time is over. Ask its holder for a new one.",
    anyRecordPage:
      "The page itself is not vouched for: anybody can put a genuine record into one of their own. Compare it with what is listed here.",
    notConfirmed: "Not confirmed",
    anyAltered: "This file was altered",
    anyAlteredMeans:
      "It claims to come from here, but it is not what was issued. Do not rely on what it shows.",
    anyForeign: "This file names another issuer",
    anyForeignMeans:
      "This page knows only the signatures of this service, so it can’t tell whether the file is genuine. Ask the issuer that it names.",
    anyUnknown: "This file is not known here",
    anyUnknownMeans:
      "It is no credential from here, or it was printed or saved anew. Enter the credential ID that is printed on it.",
    anyUnchecked: "This file can’t be checked now",
    anyUncheckedMeans:
      "The service can’t be reached, or this browser is too old. Try again, or enter the credential ID.",

    forHolder: "Is this your credential?",
    addToLinkedIn: "Add to LinkedIn profile",
    wallet: "Wallet",
    walletMeans:
      "Scan the code with a wallet app, such as Learner Credential Wallet, or open this page on the phone that has it.",
    openLearnerWallet: "Open in Learner Credential Wallet",
    openOtherWallet: "Open in another wallet",
    walletInvalidated: "This credential was invalidated, so wallet apps can no longer take it.",
    walletErased: "The learner’s data were erased here, so there is no name that a wallet app could take.",
    walletElsewhere:
      "Another system issued this credential, so wallet apps can’t take it from here. Its document and its page remain.",
    walletNone:
      "Credentials of this kind are not made for wallet apps. Their document and their page remain.",
    walletNoHttps:
      "This service has no address by HTTPS, which wallet apps and JWTs need. The PDF, and the badge as JSON, PNG or SVG, can be downloaded.",
    walletPrivacy:
      "Anyone who has the address of this page can take the credential. Pass it on only to your own devices.",
    link: "Link to this page",
    copyLink: "Copy",
    linkCopied: "Copied",

    verifyAnother: "Verify another credential",
    trustAddress: "Trust this page only at {address}",
    form: "Verify a credential",
    formMeans: "Enter the credential ID, or the address, that is printed on the document.",
    formExample: "For example {address}",
    verify: "Verify",
    unreadableIdentifier:
      "This is not a credential ID. One has 32 digits, which are 0 to 9 and a to f, or is an address that begins with {address}",

    download: "Download",
    linkLeadsNowhere: "This link leads nowhere. Check that it is the whole link of your mail.",
    downloadInvalidated: "This credential was invalidated: it can no longer be downloaded.",
    downloadUnavailable: "This credential is not available: it can’t be downloaded now.",
    downloadNotFound: "There is no such credential, or it is not yours.",
    downloadRefused: "Sign in to your learning platform first, then follow the link again.",

    myCredentials: "Your credentials",
    myCredentialsMean:
      "Credentials issued to you, newest first. The documents are yours to keep. Share a credential's page with anyone who wants to check it.",
    noCredentials: "No credential has been issued to you yet.",
    moreCredentials: "More credentials",
    downloadFile: "Download the PDF",
    seeForOthers: "View and share its page",
    toWallet: "Keep it in a wallet app",
    wholeRecord: "Download all of it as one file",
    wholeRecordMeans:
      "One signed file with the badges of all credentials here that are valid, for programs of employers and universities. It is valid for 90 days.",
    noRecord:
      "None of your credentials has a badge that is valid now, so there is nothing to put into a file.",
    recordAsPdf: "Download it as a PDF",
    recordAsPdfMeans: "The PDF lists them for people to read, and has the same file in it.",
    learnerRecord: "Learner record",
    learnerRecordMeans:
      "Each of these credentials was valid on {date}. Whether one still is, its page tells. The attached file record.json says the same for programs: it is signed by {platformName}, and valid until {lastDay}.",
    learnerRecordPartial: "The holder has further credentials, which are not listed here.",
    pageOf: "Page {page} of {pages}",
    statusGenerating: "Being made",

    signIn: "Sign-in to the console",
    notSignedIn: "You are not signed in",
    signInNotBegun:
      "This browser has not begun to sign in, or too long ago. Open the console, and sign in again.",
    signInCancelled: "The sign-in was cancelled, or refused by the identity provider.",
    signInNotProven:
      "The identity provider’s answer does not belong to this sign-in, or has expired. Start again.",
    providerOutOfReach: "The identity provider can’t be reached. Try again later.",
    notStaff:
      "You are known as {username}, who is not staff here. The identity provider has to say so in one of these claims: {claims}",
    notAPerson: "You are known as {username}, which is a service. The console is for people.",
    signInRefused: "The identity provider’s answer is not accepted here. Ask those who run this service.",
    backToConsole: "Back to the console",

    ltiCourse: "Your credentials in this course",
    ltiNothing: "No credential can be earned in this course yet.",
    ltiEarned: "You have met all requirements.",
    ltiNotEarned: "Not earned yet",
    ltiPart: "Part",
    ltiYours: "Yours",
    ltiNeeded: "Needed",
    ltiTotal: "Total",
    ltiCompleted: "Completed",
    ltiPassed: "Passed on the platform",
    ltiYes: "Yes",
    ltiNotYet: "Not yet",
    ltiLetter: "Letter grade",
    ltiOrBetter: "{letter} or better",
    ltiRefresh: "Refresh",
    ltiNotOpened: "This page can’t be opened",
    ltiForAdministrators: "Tell this to those who run your learning platform:",
    ltiSignIn: "Sign in to your learning platform, then open this page again.",
    ltiPending:
      "Your learning platform has asked to show {platformName} here. Those who run {platformName} have to accept that first.",
    ltiNoCourse: "{platformName} does not know this course yet. Ask those who run it.",
    ltiUnknownPerson:
      "{platformName} does not know you in this course yet. Come back tomorrow, or ask those who run it.",
    ltiErased: "Your data were erased here at your request, so nothing can be shown.",
    ltiNoRole: "This page shows learners their credentials. There is nothing for your role in this course.",
    ltiTeacher: "Credentials of this course",
    ltiTeacherMeans:
      "See who has earned which credential. The console opens in a tab of its own; the link works once, within ten minutes.",
    ltiOpenConsole: "Open the console",
    ltiPlace: "Add to the course",
    ltiExpired: "This page was opened too long ago. Open it anew in your course.",
    ltiNewTab: "Open this page in a new tab",
    ltiNewTabMeans:
      "Your browser keeps nothing for pages inside other pages, so it can’t be told here that it is you.",
    ltiNewTabByHand:
      "Your browser keeps nothing for pages inside other pages. Allow cookies for {address}, or use another browser.",
    ltiMoment: "One moment…",
    ltiContinue: "Continue",
    ltiRegister: "Register {platformName} with your learning platform",
    ltiRegisterMeans:
      "Your platform at {address} will then be able to show {platformName} in courses. It will tell names, addresses and roles of those who open it, and the members of these courses if you permit that.",
    ltiRegisterNow: "Register",
    ltiRegistered: "Registered",
    ltiRegisteredMeans:
      "Those who run {platformName} have to accept your platform now. You can close this window.",
    ltiInvitation: "This link was used before, has expired, or never existed. Ask for a new one.",

    onlyGet: "Only GET and HEAD are allowed here.",
    outOfReach: "This can’t be answered at the moment. Try again later.",
    fault: "Something went wrong here. Try again later.",
  },
};

/** All words of the service in one language. */
export type Wording = typeof words;
