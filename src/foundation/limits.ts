// Limits that the service enforces, and that clients such as the console's forms should know. Lengths are in
// characters.

/** Names, usernames, keys of courses and paths, and attributes of learners. */
export const MAX_NAME = 255;
export const MAX_EMAIL = 254;
/** The reason for a withdrawal, a correction or another change. */
export const MAX_REASON = 255;
/** The text of a search. Long enough for a URL that someone pastes. */
export const MAX_QUERY = 500;
export const MAX_ORGANISATION = 100;
/** A letter grade. */
export const MAX_LETTER = 64;
export const MAX_ATTRIBUTE_KEY = 40;
export const MAX_SLUG = 100;
export const MAX_CRON = 100;
/** A URL in an issuer's profile. */
export const MAX_URL = 500;
/** The description in an issuer's profile. */
export const MAX_ISSUER_DESCRIPTION = 1000;
/** A text element of a design. */
export const MAX_TEXT_ELEMENT = 2000;
/** The option `mail_text`. */
export const MAX_EMAIL_TEXT = 2000;
/** The subject of an email, and other texts of one line that an organisation changes. */
export const MAX_EMAIL_LINE = 200;
export const MAX_EMAIL_INTRODUCTION = 1000;

/** Credentials in one call of a bulk change. */
export const MAX_CREDENTIALS = 5000;
/** Learners in a list to issue from. */
export const MAX_LISTED_LEARNERS = 5000;
/** Usernames in one request for names. */
export const MAX_USERNAMES = 100;
/** Revisions that are stored per type or configuration. */
export const MAX_REVISIONS = 200;
/** Days between the runs of a schedule. */
export const MAX_INTERVAL_DAYS = 3650;
export const MAX_UPLOAD_MEGABYTES = 20;

/** How long a preview link is valid, in days. */
export const PREVIEW_DAYS = { default: 14, max: 90 };
/** How long the previous secret of a webhook stays valid, in hours. */
export const OVERLAP_HOURS = { default: 24, max: 30 * 24 };
