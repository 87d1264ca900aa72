import { escapeHtml } from "../../text/escape-html.js";
import { plainLine } from "../../text/plain-line.js";
import { languages, type MailLanguage } from "./languages.js";
import type { Message } from "./message.js";

/**
 * The facts in the mail. The learner's name is left out, because anybody could choose a name that makes the
 * mail say something else.
 */
export interface CredentialAvailableFacts {
  readonly platformName: string;
  readonly credentialType: string;
  readonly learningContextName: string;
  /** Download URL of the credential, with http or https. */
  readonly link: string;
}

type Names = Readonly<Record<string, string>>;

/** A link that needs no escaping in texts and attributes. */
const plainLink = /^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/;

/** The blocks that Unicode reserves for right-to-left scripts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:6px;background:#1a56b0;color:#ffffff;text-decoration:none";

/**
 * Composes the mail "your credential is available".
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialAvailable(facts: CredentialAvailableFacts, locales: readonly string[]): Message {
  return compose(languages.choose(locales), facts, {});
}

/** The facts in the mail that tells of a credential's expiry. */
export interface CredentialExpiringFacts extends Omit<CredentialAvailableFacts, "link"> {
  /** Address of its verification page, with http or https. */
  readonly link: string;
  /** A moment of its last day. */
  readonly lastValid: Date;
  /** IANA name of the time zone of that day. */
  readonly timeZone: string;
}

/**
 * Composes the mail "your credential expires soon". Its link leads to what anybody may see.
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialExpiring(facts: CredentialExpiringFacts, locales: readonly string[]): Message {
  const language = languages.choose(locales);
  const { tag, expirySubject, expiryHeading, expiryIntroduction, expiryLink } = language;
  const day = new Intl.DateTimeFormat(tag, {
    calendar: "gregory",
    numberingSystem: "latn",
    dateStyle: "long",
    timeZone: facts.timeZone,
  });
  const words = {
    ...language,
    subject: expirySubject,
    heading: expiryHeading,
    introduction: expiryIntroduction,
    download: expiryLink,
    privacy: "",
  };
  return compose(words, facts, { lastDay: day.format(facts.lastValid) });
}

function compose(language: MailLanguage, facts: CredentialAvailableFacts, more: Names): Message {
  const { link } = facts;
  if (!plainLink.test(link)) throw new Error("the link of a mail is not a plain http(s) URL");
  const names = {
    platformName: plainLine(facts.platformName),
    credentialType: plainLine(facts.credentialType),
    learningContextName: plainLine(facts.learningContextName),
    ...more,
  };
  const isolated = mapped(names, (name) => isolate(name, language));
  return {
    subject: fill(language.subject, isolated),
    text: toText(language, isolated, link),
    html: toHtml(language, names, link),
  };
}

function toText(language: MailLanguage, names: Names, link: string): string {
  const { heading, introduction, credentialType, learningContext, download, privacy } = language;
  const lines = [
    `${heading}\n`,
    `${introduction}\n`,
    credentialType,
    `${learningContext}\n`,
    download,
    "{link}\n",
    ...(privacy === "" ? [] : [`${privacy}\n`]),
  ];
  return fill(lines.join("\n"), { ...names, link });
}

/**
 * Only the button has colours, because mail programs adapt the rest to light or dark. The `div` repeats
 * attributes of `body`, because some clients drop `body`.
 */
function toHtml(language: MailLanguage, names: Names, link: string): string {
  const { tag, direction } = language;
  const values = {
    ...mapped(names, (name) => `<bdi>${escapeHtml(name)}</bdi>`),
    link: escapeHtml(link),
  };
  const words = (
    key: "heading" | "introduction" | "credentialType" | "learningContext" | "download" | "privacy",
  ) => escapeHtml(language[key]);
  return fill(
    `<!DOCTYPE html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<meta name="color-scheme" content="light dark" />
<meta name="supported-color-schemes" content="light dark" />
<title>${words("heading")}</title>
</head>
<body style="margin:0;padding:24px">
<div lang="${tag}" dir="${direction}" style="max-width:36em;margin:0 auto;font:16px/1.5 system-ui,sans-serif">
<h1 style="font-size:22px;line-height:1.3;margin:0 0 16px">${words("heading")}</h1>
<p>${words("introduction")}</p>
<p>${words("credentialType")}<br />
${words("learningContext")}</p>
<p style="margin:24px 0"><a href="{link}" style="${BUTTON}">${words("download")}</a></p>
${language.privacy === "" ? "" : `<p style="font-size:14px">${words("privacy")}</p>\n`}</div>
</body>
</html>
`,
    values,
  );
}

/** Isolates a name whose direction may differ from the words around it (UAX #9, FSI and PDI). */
function isolate(name: string, { direction }: MailLanguage): string {
  return direction === "rtl" || rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

/** Fills placeholders in one pass, so that braces in a name stay as they are. */
function fill(template: string, values: Names): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

function mapped(names: Names, change: (name: string) => string): Names {
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, change(name)]));
}
