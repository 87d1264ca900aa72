import type { DeepLink } from "#domain/lti/deep-link.js";
import type { Message } from "#foundation/languages/message.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  type GetEligibilityResponse,
  type Requirement,
  RequirementKind,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { fill, type Html, html } from "../http/html.js";
import { genuineIcon } from "../pages/icons.js";
import type { PageLanguage } from "../pages/languages.js";
import { given, layout } from "../pages/layout.js";
import type { NegotiatedLanguage } from "../pages/negotiate-language.js";
import type { PageContext } from "../pages/page-context.js";

/** A sentence of the pages of LTI. */
export type LtiSentence =
  | "ltiPending"
  | "ltiNoCourse"
  | "ltiUnknownPerson"
  | "ltiErased"
  | "ltiNoRole"
  | "ltiExpired"
  | "ltiSignIn"
  | "ltiInvitation"
  | "outOfReach"
  | "fault";

/** A page of one sentence. @param reason why, for those who run the platform, in English */
export function sentencePage(
  site: PageContext,
  language: PageLanguage,
  sentence: LtiSentence | undefined,
  reason?: string,
): Html {
  return page(site, language, language.ltiNotOpened, [
    card(
      language.ltiNotOpened,
      html`${sentence && html`<p class="explanation">${filled(site, language[sentence])}</p>`}
${reason === undefined ? undefined : html`<p class="explanation">${language.ltiForAdministrators}</p>\n<p lang="en" dir="ltr">${reason}</p>`}`,
    ),
  ]);
}

/** What a learner has and can earn in the course. */
export function learnerPage(
  site: PageContext,
  language: PageLanguage,
  { contextTitle, token }: { readonly contextTitle: string; readonly token: string },
  { credentials }: GetEligibilityResponse,
): Html {
  const refresh = html`<form method="post" action="progress"><input type="hidden" name="token" value="${token}" /><button class="quiet">${language.ltiRefresh}</button></form>`;
  return page(site, language, language.ltiCourse, [
    card(
      language.ltiCourse,
      html`<p class="explanation">${given(contextTitle)}</p>
${credentials.length === 0 ? html`<p>${language.ltiNothing}</p>` : undefined}${refresh}`,
    ),
    ...credentials.map((entry) => credentialCard(language, site.publicUrl(), entry)),
  ]);
}

type Entry = GetEligibilityResponse["credentials"][number];

type Figures = Pick<
  Requirement,
  | "currentGrades"
  | "requiredGrades"
  | "currentCompletion"
  | "requiredCompletion"
  | "currentPassed"
  | "requiredPassed"
  | "currentLetter"
  | "requiredLetter"
>;

function credentialCard(language: PageLanguage, publicUrl: string, entry: Entry): Html {
  const { name, existingCredential: existing } = entry;
  const isAvailable = existing?.status === CredentialStatus.AVAILABLE;
  const standing = isAvailable
    ? html`${genuineIcon}${language.statusAvailable}`
    : html`${existing ? language.statusGenerating : entry.isEligible ? language.ltiEarned : language.ltiNotEarned}`;
  const verify = `${publicUrl}/verify/${existing?.verifyUuid}/`;
  const links = isAvailable
    ? html`<p class="share">${existing.downloadUrl === undefined ? undefined : html`<a class="button" href="${existing.downloadUrl}" target="_blank" rel="noopener">${language.downloadFile}</a> `}<a href="${verify}" target="_blank" rel="noopener">${language.seeForOthers}</a></p>\n`
    : undefined;
  return html`<article class="card padded own${isAvailable ? " genuine" : ""}">
<h2>${given(name)}</h2>
<p class="status">${standing}</p>
${requirements(language, entry)}${links}</article>
`;
}

/** What is required, beside what the learner has reached. */
function requirements(language: PageLanguage, entry: Entry): Html | undefined {
  if (entry.requirements) return html`<ul>${requirementItem(language, entry.requirements)}</ul>\n`;
  const rows = figuresOf(language, entry);
  if (rows.length === 0) return undefined;
  return html`<table>
<thead><tr><th scope="col">${language.ltiPart}</th><th scope="col">${language.ltiYours}</th><th scope="col">${language.ltiNeeded}</th></tr></thead>
<tbody>
${rows.map(({ name, has, needs }) => html`<tr><th scope="row">${name}</th><td>${has}</td><td>${needs}</td></tr>\n`)}</tbody>
</table>
`;
}

/** A part of a tree of requirements, with a mark if it is met. */
function requirementItem(language: PageLanguage, part: Requirement): Html {
  const mark = part.isMet ? "✓ " : "";
  const { parts, requiredCount = 0, holds, courseKeys } = part;
  if (parts.length > 0)
    return html`<li>${mark}${groupName(language, part.kind, requiredCount)}<ul>${parts.map((each) => requirementItem(language, each))}</ul></li>`;
  if (holds) {
    const where =
      holds.learningContextKeys.length === 0 ? undefined : html` ${keysOf(holds.learningContextKeys)}`;
    return html`<li>${mark}${fill(language.ltiHolds, { name: given(holds.name) })}${where}</li>`;
  }
  const figures = figuresOf(language, part).map(
    ({ name, has, needs }) => html`${name}: ${fill(language.ltiHasNeeds, { has, needs })} `,
  );
  return html`<li>${mark}${figures}${keysOf(courseKeys)}</li>`;
}

function groupName(language: PageLanguage, kind: RequirementKind, count: number): Html {
  if (kind === RequirementKind.ALL) return html`${language.ltiAllOf}`;
  if (kind === RequirementKind.ANY) return html`${language.ltiAnyOf}`;
  return fill(language.ltiAtLeastOf, { count: html`${String(count)}` });
}

function keysOf(keys: readonly string[]): Html {
  return html`(${keys.map((key, index) => html`${index > 0 ? ", " : ""}<bdi>${key}</bdi>`)})`;
}

/** The results that are required, each with what the learner has. */
function figuresOf(language: PageLanguage, entry: Figures) {
  const percent = new Intl.NumberFormat(`${language.tag}-u-nu-latn`, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  const current = new Map(entry.currentGrades.map(({ key, value }) => [key, value]));
  const rows = entry.requiredGrades
    .filter(({ value }) => value > 0)
    .map(({ key, value }) => ({
      name: key === "total" ? html`${language.ltiTotal}` : given(key),
      has: html`${percent.format((current.get(key) ?? 0) / 100)}`,
      needs: html`${percent.format(value / 100)}`,
    }));
  if (entry.requiredCompletion !== undefined)
    rows.push({
      name: html`${language.ltiCompleted}`,
      has: html`${percent.format(entry.currentCompletion ?? 0)}`,
      needs: html`${percent.format(entry.requiredCompletion)}`,
    });
  if (entry.requiredPassed)
    rows.push({
      name: html`${language.ltiPassed}`,
      has: html`${entry.currentPassed ? language.ltiYes : language.ltiNotYet}`,
      needs: html`${language.ltiYes}`,
    });
  if (entry.requiredLetter !== undefined)
    rows.push({
      name: html`${language.ltiLetter}`,
      has: given(entry.currentLetter ?? "–"),
      needs: fill(language.ltiOrBetter, { letter: given(entry.requiredLetter) }),
    });
  return rows;
}

/** Leads a teacher to the console. */
export function teacherPage(
  site: PageContext,
  language: PageLanguage,
  contextTitle: string,
  link: string,
): Html {
  return page(site, language, language.ltiTeacher, [
    card(
      language.ltiTeacher,
      html`<p class="explanation">${given(contextTitle)}</p>
<p>${language.ltiTeacherMeans}</p>
<p class="share"><a class="button" href="${link}" target="_blank" rel="noopener">${language.ltiOpenConsole}</a></p>`,
    ),
  ]);
}

/** Has a teacher place the link in the course. */
export function deepLinkPage(
  site: PageContext,
  language: PageLanguage,
  contextTitle: string,
  { returnUrl, message }: DeepLink,
): Html {
  return page(site, language, language.ltiTeacher, [
    card(
      language.ltiTeacher,
      html`<p class="explanation">${given(contextTitle)}</p>
<form method="post" action="${returnUrl}"><input type="hidden" name="JWT" value="${message}" /><button>${language.ltiPlace}</button></form>`,
    ),
  ]);
}

/** What the script of a page exchanges with the storage of the platform. */
export interface StorageExchange {
  readonly frame: string;
  /** The only origin that may read or answer. */
  readonly origin: string;
  readonly key: string;
}

/** Puts the secret of a login into the platform's storage, and goes on. */
export function keepingPage(
  site: PageContext,
  language: PageLanguage,
  { frame, origin, key }: StorageExchange,
  { value, location }: { readonly value: string; readonly location: string },
): Html {
  const main = html`<section class="card padded" id="lti-storage" data-mode="put" data-frame="${frame}" data-origin="${origin}" data-key="${key}" data-value="${value}">
<h1>${language.ltiMoment}</h1>
<p class="share"><a href="${location}">${language.ltiContinue}</a></p>
</section>`;
  return scripted(site, language, main);
}

/** Takes it out again, and posts the launch anew. */
export function findingPage(
  site: PageContext,
  language: PageLanguage,
  { frame, origin, key }: StorageExchange,
  fields: Readonly<Record<string, string>>,
  restart: string | undefined,
): Html {
  const main = html`<section class="card padded" id="lti-storage" data-mode="get" data-frame="${frame}" data-origin="${origin}" data-key="${key}">
<div class="moment"><h1>${language.ltiMoment}</h1></div>
<form method="post" action="launch" hidden="hidden">${hidden(fields)}<input type="hidden" name="browser" value="" /></form>
<div class="otherwise" hidden="hidden">${newTab(site, language, restart)}</div>
</section>`;
  return scripted(site, language, main);
}

function hidden(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

/** Offers to begin anew in a tab, where cookies are not those of another site. */
export function newTabPage(site: PageContext, language: PageLanguage, restart: string | undefined): Html {
  return page(site, language, language.ltiNewTab, [
    html`<section class="card padded">${newTab(site, language, restart)}</section>`,
  ]);
}

function newTab(site: PageContext, language: PageLanguage, restart: string | undefined): Html {
  const address = html`<bdi>${new URL(site.publicUrl()).host}</bdi>`;
  if (restart === undefined)
    return html`<h1>${language.ltiNotOpened}</h1>\n<p class="explanation">${fill(language.ltiNewTabByHand, { address })}</p>`;
  return html`<h1>${language.ltiNewTab}</h1>
<p class="explanation">${language.ltiNewTabMeans}</p>
<p class="share"><a class="button" href="${restart}" target="_blank" rel="noopener">${language.ltiNewTab}</a></p>`;
}

/** Says to an administrator of a platform what registering means. */
export function registrationPage(
  site: PageContext,
  language: PageLanguage,
  host: string,
  fields: Readonly<Record<string, string>>,
): Html {
  const title = language.ltiRegister({ platformName: site.platformName });
  const address = html`<bdi>${host}</bdi>`;
  return page(site, language, title, [
    html`<section class="card padded">
<h1>${title}</h1>
<p class="explanation">${fill(language.ltiRegisterMeans, { address, platformName: given(site.platformName) })}</p>
<form method="post" action="register">${hidden(fields)}<button>${language.ltiRegisterNow}</button></form>
</section>`,
  ]);
}

/** Says that the platform is registered, and has it close the window. */
export function registeredPage(site: PageContext, language: PageLanguage): Html {
  const main = html`<section class="card padded" id="lti-storage" data-mode="close">
<h1>${language.ltiRegistered}</h1>
<p class="explanation">${filled(site, language.ltiRegisteredMeans)}</p>
</section>`;
  return scripted(site, language, main, language.ltiRegistered);
}

function scripted(site: PageContext, language: PageLanguage, main: Html, title = language.ltiMoment): Html {
  return layout(site, spoken(language), { title, isOneOff: true, scriptSource: "lti.js", main });
}

function page(site: PageContext, language: PageLanguage, title: string, main: readonly Html[]): Html {
  return layout(site, spoken(language), { title, isOneOff: true, main: html`${main}` });
}

function card(title: string, content: Html): Html {
  return html`<section class="card padded">
<h1>${title}</h1>
${content}
</section>
`;
}

function filled({ platformName }: PageContext, sentence: string | Message<{ platformName: string }>): Html {
  return fill(sentence, { platformName: given(platformName) });
}

function spoken(language: PageLanguage): NegotiatedLanguage {
  return { language, query: "" };
}
