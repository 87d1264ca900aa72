import { counter } from "../plural.js";

const count = counter("en");

export const words = {
  /** Why somebody has no credential, or gets none from a run; named as in `SkipReason`. */
  reasons: {
    HAS_CREDENTIAL: "Has this credential already",
    NOT_EARNED_ANEW: "Could be renewed, but has no new results since it was issued",
    NO_FULL_NAME: "The record has no full name",
    UNPRINTABLE_NAME: "The name has a character that no font prints",
    WITHDRAWN: "Had one that was withdrawn: issue to them singly",
    UNKNOWN_LEARNER: "Not known to the service",
    NOT_ELIGIBLE: "Has not met the requirements, or is not enrolled",
    INVALID: "Can’t be read",
    REPEATED: "Is in an earlier row, too",
    UNKNOWN: "For another reason",
  } as Readonly<Record<string, string>>,
  chooseConfiguration: "Choose what is issued…",
  noConfigurations: "No credential is configured yet",
  noConfigurationsMeans:
    "A credential can be issued once a credential type is configured for a course or learning path.",
  firstOnly: count({ one: "Only the first one is shown.", other: "Only the first {n} are shown." }),
  runs: {
    empty: "There has been no run yet",
    emptyMeans:
      "A run issues a credential to everyone who has earned it and has none. Before it starts, you see who gets one, who is passed over, and why.",
    started: "Started",
    state: "State",
    issued: "Issued",
    available: "available",
    generating: "being made",
    failed: "failed",
    states: { RUNNING: "Running", COMPLETE: "Complete", CANCELLED: "Cancelled" } as Readonly<
      Record<string, string>
    >,
    listed: count({ one: "From a list of {n} learner", other: "From a list of {n} learners" }),
    withoutCheck: "requirements were not checked",
  },
  plan: {
    working: "Finding out who has earned it…",
    willIssue: count({ one: "{n} credential will be issued", other: "{n} credentials will be issued" }),
    nothing: "Nobody gets a credential now",
    nothingMeans: "Everyone who has earned it has one, or is passed over for one of the reasons below.",
    retries: count({
      one: "{n} of them failed before, and is tried again.",
      other: "{n} of them failed before, and are tried again.",
    }),
    who: "Who gets one",
    passedOver: "Passed over",
    nobodyPassedOver: "Nobody is passed over.",
    notEarned: "{n} of {enrolled} enrolled have not met the requirements.",
    warnings: "Look at this first",
    samples: "What they will get",
    sampleFor: "Sample for {name}",
    issue: count({ one: "Issue {n} credential", other: "Issue {n} credentials" }),
    told: "Learners with an address are told by mail as soon as their credential is there.",
    changed: "The plan has changed since you read it. Nothing was issued.",
    changedMeans: "Look at what is different, and start the run again if it is right.",
    changedCount: "Credentials before: {before}. Now: {now}.",
    joined: "Get one now",
    left: "No longer get one",
  },
  run: {
    title: "Run: {type}",
    progress: "Progress",
    done: "{done} of {all} done",
    ended: "Ended",
    live: "This page follows the run. You can close it: the run goes on, and this address shows it again.",
    interrupted: "The service can’t be reached. The page goes on as soon as it is back.",
    failures: "What failed",
    failuresWith: count({ other: "{n} ×" }),
    retry: count({ one: "Try the {n} failed one again", other: "Try the {n} failed ones again" }),
    cancel: "Cancel the run",
    cancelHeading: "Cancel this run?",
    cancelMeans: count({
      one: "{n} credential that is still being made will fail. Those that are available stay. You can try failed ones again later.",
      other:
        "{n} credentials that are still being made will fail. Those that are available stay. You can try failed ones again later.",
    }),
    keepRunning: "Let it go on",
    credentials: "Credentials of this run",
  },
  zip: {
    download: count({ one: "Save {n} PDF as ZIP", other: "Save {n} PDFs as ZIP" }),
    working: "{done} of {all} PDFs…",
    stop: "Stop",
    tooMany: count({
      one: "At most {n} PDF fits into a ZIP here.",
      other: "At most {n} PDFs fit into a ZIP here.",
    }),
    tooLarge: "Together, the PDFs are too large for one ZIP in a browser. Choose fewer.",
    missing: count({ one: "{n} was gone meanwhile.", other: "{n} were gone meanwhile." }),
    saved: count({ one: "{n} PDF was saved.", other: "{n} PDFs were saved." }),
  },
  list: {
    means:
      "Paste rows from a spreadsheet, or choose an Excel workbook or a CSV file. Every row is judged before anything happens, and you can take the rejected rows with you.",
    paste: "Paste rows here",
    pasteHint: "username\tname\nana.kovac\tAna Kovač",
    file: "Or choose a workbook or a CSV file",
    drop: "You can also drop it here. At most 5,000 rows.",
    clear: "Take another list",
    faults: {
      workbook:
        "This workbook can’t be read: it is no .xlsx file, or is protected by a password. In Excel or LibreOffice, save it as .xlsx or as “CSV UTF-8”, and choose that file.",
      damagedWorkbook:
        "This workbook is damaged. Open it in Excel or LibreOffice, save it again, and choose that file.",
      tooManyCells:
        "This workbook is too large: its sheet has more cells than fit here. Save the rows that you need in a workbook of their own.",
      binary: "This file is neither text nor a workbook. Choose an .xlsx or a CSV file.",
      tooLarge:
        "This file has more than 5 MB. A list has at most 5,000 rows: choose another file, or parts of this one.",
      empty: "There is nothing in this list.",
      tooManyRows: count({
        one: "This list has {n} row; at most 5,000 are possible. Split it.",
        other: "This list has {n} rows; at most 5,000 are possible. Split it.",
      }),
      tooManyColumns: "Row {row} has {count} cells; at most 200 are possible. Is the delimiter right?",
      openQuote:
        "In row {row}, a quotation mark is never closed, or closes before the end of its cell. Correct it in the file.",
      tooLongCell: "In row {row}, a cell has {count} characters; at most 32,767 are possible.",
      unknownEncoding:
        "This file is not in UTF-8, so names could come out wrong. Choose below the line in which they are right.",
      wrongEncoding:
        "This file is not in the chosen encoding. Choose below the line in which the names are right.",
      lostCharacters:
        "Letters of this file were lost before you chose it: it has � or control characters in their place. Export it again as “CSV UTF-8”.",
      decodedTwice:
        "This file was saved as UTF-8, opened in another encoding and saved again, so that José has become JosÃ©. Export it again as “CSV UTF-8”.",
      noColumn: "No column has usernames. Say below which one it is.",
    },
    readAs: "How the list was read",
    sheet: "Sheet",
    encoding: "Encoding",
    writings: {
      western: "Western European",
      central: "Central European",
      baltic: "Baltic",
      nordic: "Nordic",
      celtic: "Celtic",
      southern: "Southern European",
    },
    otherEncoding: "Another encoding",
    chooseEncoding: "Choose…",
    delimiter: "Cells end at a",
    delimiters: { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" },
    headingRow: "Row with the headings",
    noHeadings: "None",
    columns: "What the columns say",
    column: "Column {n}",
    meanings: {
      username: "Username",
      email: "Mail address",
      fullName: "Full name",
      givenName: "Given name",
      familyName: "Family name",
      sortedName: "Name, family name first",
      learnerId: "Learner ID",
      grade: "Grade (percentage)",
      hours: "Hours",
      awardDate: "Date of award",
      attribute: "Other text to print",
      ignored: "Not used",
    },
    knownById: "The learner ID is the username, too",
    knownByIdMeans: "Learners who are added are known by it from then on.",
    attributeKey: "Name in the design",
    attributeKeyMeans:
      "A design prints it where it has {learner.key} or {enrollment.key}: type that key, in small letters a to z, digits and “_”.",
    factsMean:
      "The credential says what these columns say, in place of the records: learner ID, grade, hours, date of award and other texts. A design prints only those that it has a place for.",
    unclearGrades: "Nothing in the column of grades is above 1. What does {grade} mean?",
    unclearScale: "Nothing in the column of grades is above 30. What is {grade}?",
    otherScale: "A grade on another scale: print it as it is",
    unclearDay: "Which day is {day}?",
    gradeMeans: "{grade} means {percent}",
    row: "Row",
    rows: count({ one: "{n} row", other: "{n} rows" }),
    skipCheck: "Issue without checking the requirements",
    skipCheckMeans:
      "Also to learners who have not met them, or are not enrolled. The run and its events say so.",
    addLearners: "Add learners whom the service does not know",
    addLearnersMeans:
      "With the name and address from the list. What the platform tells about them later replaces that.",
    judging: "Judging each row…",
    judged: "What becomes of each row",
    outcome: "Outcome",
    ready: "Ready",
    readyNew: "Ready, as a new learner",
    rowFaults: {
      "no-learner": "Has no username",
      "no-username": "Has no username",
      "no-name": "Is not known, and has no name: give it one, and it is added",
      "malformed-email": "This is not a mail address",
      "malformed-grade": "The grade is no percentage from 0 to 100",
      "malformed-hours": "The hours are no number",
      "malformed-day": "The date of award is no day, or could be two: write it as 2026-06-30",
      "changed-id":
        "The ID was changed by a spreadsheet, as to 1.2E+11: format its column as text, and export the list again",
      sum: "Not a learner: a sum or an average",
      "error-value": "A cell that is used shows an error, such as #N/A",
    },
    listedTwice: "Is in row {row}, too",
    show: "Show rows by outcome",
    more: count({ other: "Show {n} more" }),
    rejects: count({ one: "Save the {n} rejected row", other: "Save the {n} rejected rows" }),
    rejectsFile: "rejected-rows",
    nobodyReady: "No row is ready.",
  },
  without: {
    title: "Who has none, and why",
    means: "Everyone who is enrolled and has no valid credential, with the reason.",
    waiting: "Has earned it: the next run issues it",
    notMet: "Has not met the requirements",
    counted: "{none} of {enrolled} enrolled have none.",
    unread:
      "Not all of this could be read when the platform was asked last. Who takes part, and what they have, may be older:",
    withheld: "A platform does not tell everything yet. Nobody can meet requirements about these results:",
    empty: "Everyone who is enrolled has this credential",
  },
};

/** About issuing to many: runs, lists, and who has got none. */
export type IssuingWording = typeof words;
