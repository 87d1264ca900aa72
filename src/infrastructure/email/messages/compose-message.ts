import { formatHtml } from "#foundation/languages/format-html.js";
import { format, type Message as Wording } from "#foundation/languages/message.js";
import { escapeHtml } from "#foundation/text/escape-html.js";
import { isBlank, plainLine } from "#foundation/text/plain-line.js";
import { type EmailValues, fillInPlaceholders } from "./email-placeholders.js";
import { greetedName } from "./greeted-name.js";
import type { EmailLanguage } from "./languages.js";
import type { EmailContent, Logo } from "./message.js";

/** Facts in every email about a credential. */
export interface EmailFacts {
  readonly platformName: string;
  readonly credentialType: string;
  readonly learningContextName: string;
  /** The holder's name, for the greeting. */
  readonly userFullName: string;
  /** The button leads to this http or https URL. */
  readonly link: string;
  /** Default: the service's own branding */
  readonly branding?: EmailBranding;
  /** A PNG of the document. */
  readonly picture?: Uint8Array | undefined;
  /** Returns the institution's own texts in a language. */
  readonly texts?: ((language: string) => EmailTexts) | undefined;
}

/** An institution's own texts, with placeholders. An empty text means the service's default. */
export interface EmailTexts {
  readonly subject: string;
  readonly heading: string;
  /** Each line is a paragraph. */
  readonly introduction: string;
}

/** Branding of emails. Empty texts are omitted. */
export interface EmailBranding {
  readonly name: string;
  /** `#rrggbb`, legible on white. */
  readonly accent: { readonly color: string; readonly ink: string };
  /** An email address, or an https URL. */
  readonly contact: string;
  readonly imprintUrl: string;
  readonly logo?: Logo | undefined;
}

const plainBranding: EmailBranding = {
  name: "",
  accent: { color: "#1a56b0", ink: "#ffffff" },
  contact: "",
  imprintUrl: "",
};

type EmailMessage = string | Wording<EmailValues>;

/** Texts in display order. */
export interface EmailWords {
  readonly subject: EmailMessage;
  readonly heading: EmailMessage;
  /** Each line is a paragraph. */
  readonly introduction: EmailMessage;
  /** The institution's own text, without placeholders. Each line is a paragraph. */
  readonly ownWords?: string;
  /** Shown after the names of the credential type and context. */
  readonly detail?: EmailMessage;
  readonly button: string;
  readonly second?: { readonly words: string; readonly link: string };
  /** Shown after the button. */
  readonly note?: EmailMessage;
  /** Further links, with their texts. */
  readonly further?: readonly { readonly words: string; readonly link: string }[];
}

/** The content of an email, for both the text and the HTML form. */
interface Email {
  readonly language: EmailLanguage;
  readonly words: EmailWords;
  /** Empty if the name can't be used in a greeting. */
  readonly greeting: readonly EmailMessage[];
  readonly own: readonly string[];
  readonly details: readonly EmailMessage[];
  readonly link: string;
  readonly branding: EmailBranding;
  readonly hasPicture: boolean;
  readonly signed: ReturnType<typeof signature>;
}

/** A link that needs no escaping in texts and attributes. */
const plainLink = /^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/;

/** The blocks that Unicode reserves for right-to-left scripts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const BUTTON = "padding:12px 20px;border-radius:6px";

/** The alternative text is empty, because the text around the picture describes it. */
const PICTURE =
  '<p style="margin:24px 0"><img src="cid:certificate" alt="" width="560" style="display:block;width:100%;max-width:560px;height:auto" /></p>';

/** @param more values of further placeholders */
export function composeMessage(
  language: EmailLanguage,
  emailWords: EmailWords,
  facts: EmailFacts,
  more: Partial<EmailValues> = {},
): EmailContent {
  const words = { ...emailWords, ...ownTexts(facts.texts?.(language.tag)) };
  for (const { link } of [facts, ...(words.further ?? []), ...(words.second ? [words.second] : [])]) {
    if (!plainLink.test(link)) throw new Error("the link of an email is not a plain http(s) URL");
  }
  const values = mapped(
    {
      platformName: facts.platformName,
      credentialType: facts.credentialType,
      learningContextName: facts.learningContextName,
      name: greetedName(facts.userFullName) ?? "",
      lastDay: "",
      reason: "",
      ...more,
    },
    plainLine,
  );
  const isolated = mapped(values, (value) => isolate(value, language));
  const { branding = plainBranding, link, picture } = facts;
  const email: Email = {
    language,
    words,
    greeting: values.name === "" ? [] : [language.greeting],
    own: paragraphsOf(words.ownWords),
    details: [language.credentialType, language.learningContext, ...(words.detail ? [words.detail] : [])],
    link,
    branding,
    hasPicture: picture !== undefined,
    signed: signature(language, branding),
  };
  return {
    subject: format(words.subject, isolated),
    text: toText(email, isolated),
    html: toHtml(email, values),
    ...(branding.logo && { logo: branding.logo }),
    ...(picture && { picture }),
  };
}

function ownTexts(
  texts: EmailTexts | undefined,
): Partial<Pick<EmailWords, "subject" | "heading" | "introduction">> {
  const written = Object.entries(texts ?? {}).filter(([name, text]) => isText(name) && text !== "");
  return Object.fromEntries(
    written.map(([name, text]) => [name, (values: EmailValues) => fillInPlaceholders(text, values)]),
  );
}

function isText(name: string): name is keyof EmailTexts {
  return name === "subject" || name === "heading" || name === "introduction";
}

/** The contact and the legal notice, if there are any. */
function signature(language: EmailLanguage, { contact, imprintUrl }: EmailBranding) {
  const contactLink = contact.startsWith("https:") ? contact : `mailto:${contact}`;
  return [
    ...(contact === "" ? [] : [{ words: language.contact, shown: contact, link: contactLink }]),
    ...(imprintUrl === "" ? [] : [{ words: language.imprint, shown: imprintUrl, link: imprintUrl }]),
  ];
}

function toText(
  { words, greeting, own, details, link, branding, signed }: Email,
  values: EmailValues,
): string {
  const fill = (message: EmailMessage) => format(message, values);
  const { heading, introduction, button, second, note, further = [] } = words;
  const hasSignature = branding.name !== "" || signed.length > 0;
  // RFC 3676, 4.3: email programs recognise the lines after "-- " as a signature.
  const signatureLines = ["-- ", branding.name, ...signed.map(({ words, shown }) => `${words}: ${shown}`)];
  const paragraphs = [
    fill(heading),
    ...greeting.map(fill),
    ...linesOf(fill(introduction)),
    ...own,
    details.map(fill).join("\n"),
    `${button}\n${link}`,
    ...(second ? [`${second.words}\n${second.link}`] : []),
    ...(note ? [fill(note)] : []),
    ...further.map(({ words, link }) => `${words}\n${link}`),
    ...(hasSignature ? [signatureLines.filter((line) => line !== "").join("\n")] : []),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

/**
 * Only the button has colours, because email programs adapt the rest to light or dark. The `div` repeats attributes of
 * `body`, because some clients drop `body`.
 */
function toHtml(
  { language, words, greeting, own, details, link, branding, hasPicture, signed }: Email,
  values: EmailValues,
): string {
  const escaped = mapped(values, escapeHtml);
  const isolated = mapped(escaped, withOwnDirection);
  const fill = (message: EmailMessage) => formatHtml(message, isolated);
  const { tag, direction } = language;
  const { heading, introduction, button, second, note, further = [] } = words;
  const { color, ink } = branding.accent;
  const paragraphs = [
    ...(branding.logo || branding.name !== "" ? [masthead(branding)] : []),
    `<h1 style="font-size:22px;line-height:1.3;margin:0 0 16px">${fill(heading)}</h1>`,
    ...greeting.map((line) => `<p>${fill(line)}</p>`),
    ...linesOf(fill(introduction)).map((line) => `<p>${line}</p>`),
    ...own.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`),
    `<p>${details.map(fill).join("<br />\n")}</p>`,
    ...(hasPicture ? [PICTURE] : []),
    // Outlook only supports padding in table cells.
    `<table role="presentation" style="margin:24px 0"><tr><td style="${BUTTON};background-color:${color}"><a href="${escapeHtml(link)}" style="color:${ink};text-decoration:none">${escapeHtml(button)}</a></td>${second ? `<td style="${BUTTON}"><a href="${escapeHtml(second.link)}" style="text-decoration:none">${escapeHtml(second.words)}</a></td>` : ""}</tr></table>`,
    ...(note ? [`<p style="font-size:14px">${fill(note)}</p>`] : []),
    ...further.map(({ words, link }) => `<p><a href="${escapeHtml(link)}">${escapeHtml(words)}</a></p>`),
    ...signed.map(
      ({ words, shown, link }) =>
        `<p style="font-size:14px">${escapeHtml(words)}: <a href="${escapeHtml(link)}">${escapeHtml(shown)}</a></p>`,
    ),
  ];
  return `<!DOCTYPE html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<meta name="color-scheme" content="light dark" />
<meta name="supported-color-schemes" content="light dark" />
<title>${formatHtml(heading, escaped)}</title>
</head>
<body style="margin:0;padding:24px">
<div lang="${tag}" dir="${direction}" style="max-width:36em;margin:0 auto;font:16px/1.5 system-ui,sans-serif">
${paragraphs.join("\n")}
</div>
</body>
</html>
`;
}

/** Isolates the writing direction of a name, like `bdi`, which Gmail and Outlook drop. */
function withOwnDirection(name: string): string {
  return `<span dir="auto">${name}</span>`;
}

function masthead({ logo, name }: EmailBranding): string {
  const picture = logo ? '<img src="cid:logo" alt="" height="40" style="vertical-align:middle" /> ' : "";
  return `<p style="margin:0 0 24px">${picture}${name === "" ? "" : `<strong>${withOwnDirection(escapeHtml(name))}</strong>`}</p>`;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => !isBlank(line));
}

/** Splits free text into lines that can't affect the text around them. */
function paragraphsOf(text = ""): string[] {
  return text
    .split(/[\r\n]+/)
    .filter((line) => !isBlank(line))
    .map(plainLine);
}

/** Isolates a name whose direction may differ from the words around it (UAX #9, FSI and PDI). */
function isolate(name: string, { direction }: EmailLanguage): string {
  return direction === "rtl" || rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

function mapped(values: EmailValues, change: (value: string) => string): EmailValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value)]),
  ) as unknown as EmailValues;
}
