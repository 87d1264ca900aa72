import { criteriaInWords } from "#domain/credentials/badges/criteria.js";
import { isPictured } from "#domain/credentials/pictures/credential-pictures.js";
import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { verifyUrl, verifyUrlBase } from "#domain/credentials/verify-url.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { organisationOf } from "#domain/learners/organisations.js";
import { type Day, formatDay, isoDay } from "#foundation/calendar/day.js";
import { languagesOf } from "#foundation/languages/languages.js";
import type { Message } from "#foundation/languages/message.js";
import { shorten } from "#foundation/shorten.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { fillHtml, type Html, html } from "../http/html.js";
import { achievementFacts } from "./achievement-facts.js";
import { fileCheck, type ImportDetails } from "./file-check.js";
import { expiredIcon, genuineIcon, invalidatedIcon, notFoundIcon, replacedIcon, rosette } from "./icons.js";
import type { PageLanguage } from "./languages.js";
import { type HtmlPage, isolatedHtml, layout } from "./layout.js";
import { PROOF_NAME } from "./log-proof.js";
import type { NegotiatedLanguage } from "./negotiate-language.js";
import { issuerImage, issuingPlatform, type PageContext } from "./page-context.js";
import { printedFacts } from "./printed-facts.js";
import { shareSection } from "./share-section.js";
import { sharedLook } from "./shared-look.js";
import { type ShownStatus, shownStatus } from "./shown-status.js";
import { calendarDayInWords, dayInWords, momentInWords } from "./words-of-dates.js";

/** The length of a UUID. Longer texts in URLs are cut, so that nobody can make the page show a message. */
const MAX_ID_LENGTH = 36;

const documents = languagesOf("document");

const icons: Record<ShownStatus, Html> = {
  available: genuineIcon,
  invalidated: invalidatedIcon,
  expired: expiredIcon,
  replaced: replacedIcon,
};

/** @param verification includes the time when the log recorded the credential's file */
export function verificationPage(
  site: PageContext,
  negotiated: NegotiatedLanguage,
  verification: Verification & { readonly provenSince?: Date | undefined },
  checked: Date,
): HtmlPage {
  const { language } = negotiated;
  const { timeZone } = site;
  const {
    userFullName,
    createdAt,
    learningContextKey,
    learningContextName,
    credentialType,
    invalidationReason,
    lastDay,
    renewedBy,
    invalidatedAt,
    replacedBy,
    sealer,
  } = verification;
  const platform = issuingPlatform(site, verification);
  const status = shownStatus(verification);
  const icon = icons[status];
  const isNamed = plainLine(userFullName) !== "";
  const { look, title, means } = verdictOn(language, verification);
  const takenOver = takeover(platform, site.timeZone, language, verification);
  const holder = isNamed
    ? html`<dd class="name">${isolatedHtml(userFullName)}</dd>`
    : html`<dd class="name removed">${language.nameRemoved}</dd>`;
  const { text, tree, names } = verification.criteria;
  const criteria = text ?? criteriaInWords(tree, names, language.tag);
  const facts = html`<dl id="achievement">
<div class="wide"><dt>${language.holder}</dt>${holder}</div>
<div class="wide ruled"><dt>${contextWords(language, verification)}</dt><dd class="context">${isolatedHtml(learningContextName)}</dd></div>
<div><dt>${language.credentialType}</dt><dd>${isolatedHtml(credentialType)}</dd></div>
<div><dt>${language.issuer}</dt><dd>${logo(issuerImage(site, verification))}${issuer(platform, language, verification)}</dd></div>
${takenOver && html`<div><dt>${language.takenOver}</dt><dd>${takenOver.platformName}<br />${takenOver.date}</dd></div>\n`}<div><dt>${language.issued}</dt><dd>${day(createdAt, timeZone, language.tag)}</dd></div>
${awarded(verification, timeZone, language)}${sealer ? html`<div><dt>${language.sealedBy}</dt><dd>${isolatedHtml(sealer)}</dd></div>\n` : undefined}<div><dt>${language.status}</dt><dd><span class="status">${icon}${statusWords(language, status)}</span></dd></div>
${lastDay ? html`<div><dt>${language.validUntil}</dt><dd>${calendarDay(lastDay, language.tag)}</dd></div>\n` : undefined}${invalidatedAt ? html`<div><dt>${language.withdrawn}</dt><dd>${day(invalidatedAt, timeZone, language.tag)}</dd></div>\n` : undefined}${replacedBy ? html`<div><dt>${language.replaced}</dt><dd><a href="../${replacedBy}/${negotiated.query}">${language.seeReplacement}</a></dd></div>\n` : undefined}${invalidatedAt ? html`<div class="wide"><dt>${language.reason}</dt><dd>${isolatedHtml(invalidationReason)}</dd></div>\n` : undefined}${renewedBy ? html`<div><dt>${language.renewed}</dt><dd><a href="../${renewedBy}/${negotiated.query}">${language.seeRenewal}</a></dd></div>\n` : undefined}${printedFacts(verification.printed, language)}${achievementFacts(achievementOf(verification), language)}${
  criteria
    ? html`<div class="wide" id="criteria"><dt>${language.criteria}</dt><dd>${isolatedHtml(criteria)}</dd></div>
`
    : undefined
}<div class="wide"><dt>${language.identifier}</dt><dd><code dir="ltr">${verification.verifyUuid}</code></dd></div>
<div class="wide"><dt>${language.checked}</dt><dd>${moment(checked, timeZone, language.tag)}</dd></div>
</dl>`;
  const description = `${plainLine(credentialType)}${language.colon}${plainLine(learningContextName)}`;
  const main = html`<article class="card ${look}">
${verdict(look === "unconfirmed" ? notFoundIcon : icon, title, fillHtml(means, { ...platformOf(platform), date: takenOver?.date ?? html``, lastDay: lastDay ? calendarDayAlone(lastDay, language.tag) : html`` }))}
${
  isPictured(verification)
    ? html`<p class="picture screen"><img src="picture.png" alt="${description}" loading="lazy" /></p>
`
    : undefined
}${facts}
<p class="printed"><code dir="ltr">${verifyUrl(site.publicUrl, verification.verifyUuid)}</code></p>
</article>
${fileCheck(language, verification, takenOver)}
${proof(language, timeZone, verification.provenSince)}${shareSection(site, language, verification)}`;
  return layout(site, negotiated, {
    title,
    description,
    shared: sharedLook(site, verification),
    main,
    footer: footer(site, negotiated),
    organisation: organisationOf(learningContextKey),
  });
}

function contextWords(language: PageLanguage, { learningContextKey, printed }: Verification): Html {
  if (parseLearningContextKey(learningContextKey).kind !== "path") return html`${language.course}`;
  return printed.category === undefined ? html`${language.learningPath}` : isolatedHtml(printed.category);
}

interface MeaningValues {
  readonly platformName: string;
  readonly date: string;
  readonly lastDay: string;
}

/** Returns the verdict. It isn't green for a credential without a name, because a copy could show any name. */
function verdictOn(
  language: PageLanguage,
  verification: Verification,
): { readonly look: string; readonly title: string; readonly means: Message<MeaningValues> } {
  const status = shownStatus(verification);
  const isElsewhere = verification.importedAt !== null;
  if (status === "replaced") {
    return { look: "replaced", title: language.wasReplaced, means: language.wasReplacedMeans };
  }
  if (status === "invalidated") {
    const means = isElsewhere ? language.elsewhereInvalidatedMeans : language.invalidatedMeans;
    return { look: "invalidated", title: language.invalidated, means };
  }
  if (status === "expired") {
    const means = isElsewhere ? language.elsewhereExpiredMeans : language.expiredMeans;
    return { look: "expired", title: language.expired, means };
  }
  if (plainLine(verification.userFullName) === "") {
    const means = isElsewhere ? language.elsewhereUnconfirmedMeans : language.nameUnconfirmedMeans;
    return { look: "unconfirmed", title: language.nameUnconfirmed, means };
  }
  if (isElsewhere) return { look: "genuine", title: language.elsewhere, means: language.elsewhereMeans };
  return { look: "genuine", title: language.genuine, means: language.genuineMeans };
}

/**
 * The page for an unknown code. Apart from fixed text, it shows only the visitor's own input.
 * @param enteredCode the UUID, or other text that was entered
 */
export function notFoundPage(
  site: PageContext,
  negotiated: NegotiatedLanguage,
  enteredCode: string,
  checked: Date,
): HtmlPage {
  const { language } = negotiated;
  const main = html`<article class="card not-found">
${verdict(notFoundIcon, language.notFound, fillHtml(language.notFoundMeans, platformOf(site.platformName)))}
<dl>
<div class="wide"><dt>${language.identifier}</dt><dd><code dir="ltr">${shorten(plainLine(enteredCode), MAX_ID_LENGTH)}</code></dd></div>
<div class="wide"><dt>${language.checked}</dt><dd>${moment(checked, site.timeZone, language.tag)}</dd></div>
</dl>
</article>`;
  return layout(site, negotiated, { title: language.notFound, main, footer: footer(site, negotiated) });
}

function verdict(icon: Html, heading: string, means: Html): Html {
  return html`<div class="verdict">${rosette}${icon}
<div><h1>${heading}</h1>
<p>${means}</p></div>
</div>`;
}

function statusWords(language: PageLanguage, status: ShownStatus): string {
  const words: Record<typeof status, string> = {
    available: language.statusAvailable,
    invalidated: language.statusInvalidated,
    expired: language.statusExpired,
    replaced: language.statusReplaced,
  };
  return words[status];
}

function platformOf(platformName: string): { readonly platformName: Html } {
  return { platformName: isolatedHtml(platformName) };
}

function proof(language: PageLanguage, timeZone: string, since: Date | undefined): Html | undefined {
  if (!since) return undefined;
  return html`<section class="card padded screen" aria-labelledby="log-proof">
<h2 id="log-proof">${language.logProof}</h2>
<p class="explanation">${fillHtml(language.logProofMeans, { date: dayAlone(since, timeZone, language.tag) })}</p>
<p class="whole"><a class="button quiet" href="${PROOF_NAME}" download="">${language.downloadLogProof}</a></p>
</section>
`;
}

/** @returns undefined if the credential was issued by this service */
function takeover(
  platform: string,
  timeZone: string,
  language: PageLanguage,
  { importedAt }: Verification,
): ImportDetails | undefined {
  return importedAt
    ? { ...platformOf(platform), date: dayAlone(importedAt, timeZone, language.tag) }
    : undefined;
}

/** Renders the award date if it differs from the issue date. */
function awarded(
  { createdAt, printed: { awardedAt } }: Verification,
  timeZone: string,
  language: PageLanguage,
): Html | undefined {
  if (!awardedAt || isoDay(awardedAt, timeZone) === isoDay(createdAt, timeZone)) return undefined;
  const words = documents.choose([language.tag]);
  return html`<div><dt>${words.dateOfAward}</dt><dd>${day(awardedAt, timeZone, language.tag)}</dd></div>\n`;
}

/** Returns the achievement to show. Credits from the document replace credits from the badge. */
function achievementOf({ achievement, printed }: Verification): Verification["achievement"] {
  return printed.credits === undefined ? achievement : { ...achievement, credits: undefined };
}

/** Renders the issuer. For an imported credential, that is the original issuer, never the platform. */
function issuer(platform: string, language: PageLanguage, verification: Verification): Html | string {
  const { importedAt, originalIssuer } = verification;
  if (!importedAt) return isolatedHtml(platform);
  return plainLine(originalIssuer ?? "") === ""
    ? language.issuerNotNamed
    : isolatedHtml(originalIssuer ?? "");
}

/** The logo needs no text alternative, because the name is beside it. */
function logo(image: string | undefined): Html | undefined {
  return image === undefined ? undefined : html`<img class="logo" src="${image}" alt="" />`;
}

function footer(site: PageContext, { language, query }: NegotiatedLanguage): Html {
  const address = html`<bdi dir="ltr">${verifyUrlBase(site.publicUrl)}</bdi>`;
  return html`<p class="verify-another"><a href="../${query}">${language.verifyAnother}</a></p>
<p>${fillHtml(language.trustAddress, { address })}</p>`;
}

function day(date: Date, timeZone: string, language: string): Html {
  const iso = isoDay(date, timeZone);
  return html`${dayAlone(date, timeZone, language)} <span class="second"><bdi dir="ltr">${iso}</bdi></span>`;
}

function calendarDay(date: Day, language: string): Html {
  return html`${calendarDayAlone(date, language)} <span class="second"><bdi dir="ltr">${formatDay(date)}</bdi></span>`;
}

function calendarDayAlone(date: Day, language: string): Html {
  return html`<time datetime="${formatDay(date)}">${calendarDayInWords(date, language)}</time>`;
}

function dayAlone(date: Date, timeZone: string, language: string): Html {
  return html`<time datetime="${isoDay(date, timeZone)}">${dayInWords(date, timeZone, language)}</time>`;
}

function moment(date: Date, timeZone: string, language: string): Html {
  return html`<time datetime="${date.toISOString()}">${momentInWords(date, timeZone, language)}</time>`;
}
