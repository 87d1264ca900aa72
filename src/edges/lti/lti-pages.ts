import type { DeepLink } from "#domain/lti/deep-link.js";
import type { Message } from "#foundation/languages/message.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type {
  CredentialEligibility,
  GetEligibilityResponse,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { fillHtml, type Html, html } from "../http/html.js";
import { type ClaimOutcome, claimForm, claimNotice } from "../pages/claim.js";
import { genuineIcon } from "../pages/icons.js";
import type { PageLanguage } from "../pages/languages.js";
import { isolatedHtml, layout } from "../pages/layout.js";
import type { NegotiatedLanguage } from "../pages/negotiate-language.js";
import type { PageContext } from "../pages/page-context.js";
import { requirements } from "../pages/requirements.js";

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

/**
 * Renders a page with a single sentence.
 * @param reason details in English, for administrators of the platform
 */
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

export function learnerPage(
  site: PageContext,
  language: PageLanguage,
  { contextTitle, token }: { readonly contextTitle: string; readonly token: string },
  { credentials, contextKey }: GetEligibilityResponse,
  outcome?: ClaimOutcome,
): Html {
  const refresh = html`<form method="post" action="progress"><input type="hidden" name="token" value="${token}" /><button class="quiet">${language.ltiRefresh}</button></form>`;
  return page(site, language, language.ltiCourse, [
    ...(outcome ? [claimNotice(language, outcome)] : []),
    card(
      language.ltiCourse,
      html`<p class="explanation">${isolatedHtml(contextTitle)}</p>
${credentials.length === 0 ? html`<p>${language.ltiNothing}</p>` : undefined}${refresh}`,
    ),
    ...credentials.map((entry) => credentialCard(language, site.publicUrl, entry, contextKey, token)),
  ]);
}

function credentialCard(
  language: PageLanguage,
  publicUrl: string,
  entry: CredentialEligibility,
  contextKey: string,
  token: string,
): Html {
  const { name, existingCredential: existing } = entry;
  const isAvailable = existing?.status === CredentialStatus.AVAILABLE;
  const availability = isAvailable
    ? html`${genuineIcon}${language.statusAvailable}`
    : html`${existing ? language.statusGenerating : entry.isEligible ? language.ltiEarned : language.ltiNotEarned}`;
  const verify = `${publicUrl}/verify/${existing?.verifyUuid}/`;
  const links = isAvailable
    ? html`<p class="share">${existing.downloadUrl === undefined ? undefined : html`<a class="button" href="${existing.downloadUrl}" target="_blank" rel="noopener">${language.downloadFile}</a> `}<a href="${verify}" target="_blank" rel="noopener">${language.seeForOthers}</a></p>\n`
    : undefined;
  return html`<article class="card padded own${isAvailable ? " genuine" : ""}">
<h2 id="credential-${String(entry.credentialTypeId)}">${isolatedHtml(name)}</h2>
<p class="status">${availability}</p>
${requirements(language, entry, contextKey)}${links}${claimForm(language, entry, { token })}</article>
`;
}

export function teacherPage(
  site: PageContext,
  language: PageLanguage,
  contextTitle: string,
  link: string,
): Html {
  return page(site, language, language.ltiTeacher, [
    card(
      language.ltiTeacher,
      html`<p class="explanation">${isolatedHtml(contextTitle)}</p>
<p>${language.ltiTeacherMeans}</p>
<p class="share"><a class="button" href="${link}" target="_blank" rel="noopener">${language.ltiOpenConsole}</a></p>`,
    ),
  ]);
}

/** Renders the page on which a teacher adds the link to the course. */
export function deepLinkPage(
  site: PageContext,
  language: PageLanguage,
  contextTitle: string,
  { returnUrl, message }: DeepLink,
): Html {
  return page(site, language, language.ltiTeacher, [
    card(
      language.ltiTeacher,
      html`<p class="explanation">${isolatedHtml(contextTitle)}</p>
<form method="post" action="${returnUrl}"><input type="hidden" name="JWT" value="${message}" /><button>${language.ltiAddToCourse}</button></form>`,
    ),
  ]);
}

interface StorageExchange {
  readonly frame: string;
  /** The only origin that may exchange messages with the page. */
  readonly origin: string;
  readonly key: string;
}

/** Renders the page that stores a login's secret in the platform's storage and then continues the login. */
export function storagePage(
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

/** Renders the page that reads the secret from the platform's storage and posts the launch again. */
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

/**
 * Renders a page that offers to restart in a new tab, because the service's cookies are not third-party cookies there.
 */
export function newTabPage(site: PageContext, language: PageLanguage, restart: string | undefined): Html {
  return page(site, language, language.ltiNewTab, [
    html`<section class="card padded">${newTab(site, language, restart)}</section>`,
  ]);
}

function newTab(site: PageContext, language: PageLanguage, restart: string | undefined): Html {
  const address = html`<bdi>${new URL(site.publicUrl).host}</bdi>`;
  if (restart === undefined)
    return html`<h1>${language.ltiNotOpened}</h1>\n<p class="explanation">${fillHtml(language.ltiNewTabByHand, { address })}</p>`;
  return html`<h1>${language.ltiNewTab}</h1>
<p class="explanation">${language.ltiNewTabMeans}</p>
<p class="share"><a class="button" href="${restart}" target="_blank" rel="noopener">${language.ltiNewTab}</a></p>`;
}

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
<p class="explanation">${fillHtml(language.ltiRegisterMeans, { address, platformName: isolatedHtml(site.platformName) })}</p>
<form method="post" action="register">${hidden(fields)}<button>${language.ltiRegisterNow}</button></form>
</section>`,
  ]);
}

/** Renders a confirmation of the registration, and makes the platform close the window. */
export function registeredPage(site: PageContext, language: PageLanguage): Html {
  const main = html`<section class="card padded" id="lti-storage" data-mode="close">
<h1>${language.ltiRegistered}</h1>
<p class="explanation">${filled(site, language.ltiRegisteredMeans)}</p>
</section>`;
  return scripted(site, language, main, language.ltiRegistered);
}

function scripted(site: PageContext, language: PageLanguage, main: Html, title = language.ltiMoment): Html {
  return layout(site, negotiated(language), { title, isOneOff: true, scriptSource: "lti.js", main });
}

function page(site: PageContext, language: PageLanguage, title: string, main: readonly Html[]): Html {
  return layout(site, negotiated(language), { title, isOneOff: true, main: html`${main}` });
}

function card(title: string, content: Html): Html {
  return html`<section class="card padded">
<h1>${title}</h1>
${content}
</section>
`;
}

function filled({ platformName }: PageContext, sentence: string | Message<{ platformName: string }>): Html {
  return fillHtml(sentence, { platformName: isolatedHtml(platformName) });
}

function negotiated(language: PageLanguage): NegotiatedLanguage {
  return { language, query: "" };
}
