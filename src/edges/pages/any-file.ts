import { fillHtml, type Html, html } from "../http/html.js";
import { dropZone, outcome } from "./drop-zone.js";
import { expiredIcon, genuineIcon, invalidatedIcon, notFoundIcon } from "./icons.js";
import type { PageLanguage } from "./languages.js";

/** Path of the script, in the same directory as the page with the form. */
export const CHECK_FILE_PATH = "/verify/check-file.js";

const ACCEPTED =
  ".pdf,.png,.svg,.json,.jwt,.txt,.tlog-proof,application/pdf,image/png,image/svg+xml,application/json";

/**
 * The section "Is this file genuine?", which checks any file that this service has issued. The browser checks the file.
 * If the browser can't, a sentence explains other ways to check.
 */
export function anyFile(
  language: PageLanguage,
  { timeZone, logKeys = [] }: { readonly timeZone: string; readonly logKeys: readonly string[] | undefined },
): Html {
  return html`<section class="card padded screen any-file" aria-labelledby="any-file" data-time-zone="${timeZone}" data-log-keys="${logKeys.join(" ")}">
<h2 id="any-file">${language.anyFile}</h2>
<p class="explanation" hidden="">${language.anyFileMeans}</p>
<p class="unscripted">${language.anyFileUnscripted}</p>
${dropZone(language, ACCEPTED, language.chooseAnyFile)}${outcome("checking", "checking", undefined, language.anyFileChecking)}
${outcome("genuine", "identical", genuineIcon, language.anyGenuine, language.anyGenuineMeans, facts(language))}
${outcome("withdrawn", "different", invalidatedIcon, language.anyWithdrawn, language.anyWithdrawnMeans, facts(language))}
${outcome("expired", "expired", expiredIcon, language.expired, language.anyWithdrawnMeans, facts(language))}
${outcome("early", "expired", expiredIcon, language.anyEarly, language.anyEarlyMeans, facts(language))}
${outcome("badge-genuine", "badge", genuineIcon, language.anyBadgeGenuine, language.anyBadgeGenuineMeans, badgeOnly(language))}
${outcome("badge-withdrawn", "different", invalidatedIcon, language.anyWithdrawn, language.anyBadgeWithdrawnMeans, badgeOnly(language))}
${outcome("badge-expired", "expired", expiredIcon, language.expired, language.anyBadgeWithdrawnMeans, badgeOnly(language))}
${outcome("badge-early", "expired", expiredIcon, language.anyEarly, language.anyEarlyMeans, badgeOnly(language))}
${outcome("record-genuine", "identical", genuineIcon, language.anyRecordGenuine, language.anyRecordGenuineMeans, record(language))}
${outcome("record-partly", "different", invalidatedIcon, language.anyRecordPartly, language.anyRecordPartlyMeans, record(language))}
${outcome("record-expired", "expired", expiredIcon, language.anyRecordExpired, language.anyRecordExpiredMeans, record(language))}
${outcome("altered", "different", invalidatedIcon, language.anyAltered, language.anyAlteredMeans)}
${outcome("foreign", "unreadable", notFoundIcon, language.anyForeign, language.anyForeignMeans)}
${outcome("unknown", "unreadable", notFoundIcon, language.anyUnknown, language.anyUnknownMeans)}
${outcome("unchecked", "unreadable", notFoundIcon, language.anyUnchecked, language.anyUncheckedMeans)}
${outcome("proof-alone", "checking", undefined, language.anyProofAlone, language.anyProofAloneMeans)}
${outcome("logged", "identical", genuineIcon, language.anyLogged, fillHtml(language.anyLoggedMeans, { origin: html`<bdi class="origin" dir="ltr"></bdi>` }))}
${outcome("not-logged", "different", invalidatedIcon, language.anyNotLogged, language.anyNotLoggedMeans)}
${outcome("unreadable", "unreadable", notFoundIcon, language.fileUnreadable)}
</section>`;
}

/** Explains that only the badge was checked. Anyone may have made the picture or page that contains it. */
function badgeOnly(language: PageLanguage): Html {
  return html`<p class="caution">${language.anyBadgeOnly}</p>${facts(language)}`;
}

function record(language: PageLanguage): Html {
  return html`<p class="caution">${language.anyRecordPage}</p><dl>${row(language.holder, "holder")}${row(language.issued, "issued")}</dl><ul class="badges" data-genuine="${language.statusAvailable}" data-withdrawn="${language.statusInvalidated}" data-expired="${language.statusExpired}" data-unchecked="${language.notConfirmed}"><template><li><a dir="auto"></a> <strong></strong></li></template></ul>`;
}

/** Rows that the script fills in. */
function facts(language: PageLanguage): Html {
  return html`<dl>${row(language.holder, "holder")}${row(language.credentialType, "credential")}${row(language.issued, "issued")}<div><dt>${language.identifier}</dt><dd><a><code class="verifyUuid" dir="ltr"></code></a></dd></div></dl>`;
}

function row(label: string, fact: "holder" | "credential" | "issued"): Html {
  const direction = fact === "issued" ? html` dir="ltr"` : undefined;
  return html`<div><dt>${label}</dt><dd><bdi class="${fact}"${direction}></bdi></dd></div>`;
}
