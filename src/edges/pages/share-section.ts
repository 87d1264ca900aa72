import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { verifyUrl } from "#domain/credentials/verify-url.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";
import { linkedInUrl } from "./linkedin-url.js";
import { issuingPlatform, type PageContext } from "./page-context.js";

/**
 * Renders the section in which holders share the page. It doesn't link to the file, because anyone may see the page.
 * @returns undefined if the credential is not valid, or if its holder was erased
 */
export function shareSection(
  site: PageContext,
  language: PageLanguage,
  verification: Verification,
): Html | undefined {
  const {
    status,
    userFullName,
    verifyUuid,
    createdAt,
    lastDay,
    credentialType,
    learningContextName,
    importedAt,
    originalIssuer,
  } = verification;
  if (status !== "available" || plainLine(userFullName) === "") return undefined;
  const link = verifyUrl(site.publicUrl, verifyUuid);
  const linkedIn = linkedInUrl({
    credentialType,
    learningContextName,
    organizationName: (importedAt ? originalIssuer : issuingPlatform(site, verification)) ?? "",
    issued: createdAt,
    lastDay,
    timeZone: site.timeZone,
    verifyUrl: link,
    verifyUuid,
  });
  return html`<section class="card padded screen for-holder" aria-labelledby="holder">
<h2 id="holder">${language.forHolder}</h2>
<div class="share">
<div class="field"><label for="link">${language.link}</label><input id="link" type="text" dir="ltr" readonly="" value="${link}" /></div>
${copyButton(language, link)}
</div>
<p class="linkedin"><a class="button quiet" href="${linkedIn}" rel="noreferrer">${language.addToLinkedIn}</a></p>
</section>`;
}

/** Renders a button that copies a link. Only the page's script shows it. */
export function copyButton(language: PageLanguage, link: string): Html {
  return html`<button class="quiet" type="button" hidden="" data-link="${link}" data-copied="${language.linkCopied}">${language.copyLink}</button><span class="small" role="status"></span>`;
}
