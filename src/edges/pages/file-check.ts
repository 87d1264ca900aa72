import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { fillHtml, type Html, html } from "../http/html.js";
import { dropZone, outcome } from "./drop-zone.js";
import { genuineIcon, invalidatedIcon, notFoundIcon } from "./icons.js";
import type { PageLanguage } from "./languages.js";
import { type ShownStatus, shownStatus } from "./shown-status.js";

const COMMANDS = `sha256sum file.pdf                  # Linux
shasum -a 256 file.pdf              # macOS
certutil -hashfile file.pdf SHA256  # Windows`;

export interface ImportDetails extends Readonly<Record<string, Html>> {
  readonly platformName: Html;
  readonly date: Html;
}

const identicalMeansOf = {
  available: "fileIdenticalMeans",
  invalidated: "fileIdenticalInvalidated",
  expired: "fileIdenticalExpired",
  replaced: "fileIdenticalInvalidated",
} as const satisfies Record<ShownStatus, keyof PageLanguage>;

const takenOverTexts = {
  available: "fileTakenOverMeans",
  invalidated: "fileTakenOverInvalidated",
  expired: "fileTakenOverExpired",
  replaced: "fileTakenOverInvalidated",
} as const satisfies Record<ShownStatus, keyof PageLanguage>;

/**
 * The section "Is this file the original?". The browser compares the file with the original's checksum. Without the
 * script, visitors can compare the checksum themselves.
 * @returns undefined if the checksum of the original is unknown
 */
export function fileCheck(
  language: PageLanguage,
  verification: Verification,
  takenOver: ImportDetails | undefined,
): Html | undefined {
  const { fileSha256 } = verification;
  if (fileSha256 === null) return undefined;
  const [identical, identicalMeans] = takenOver
    ? [language.fileTakenOver, fillHtml(language[takenOverTexts[shownStatus(verification)]], takenOver)]
    : [language.fileIdentical, language[identicalMeansOf[shownStatus(verification)]]];
  return html`<section class="card padded screen file-check" data-sha256="${fileSha256}" aria-labelledby="file-check">
<h2 id="file-check">${language.fileCheck}</h2>
<p class="explanation" hidden="">${language.fileCheckMeans}</p>
${dropZone(language, "application/pdf,.pdf", language.chooseFile)}${outcome("checking", "checking", undefined, language.fileChecking)}
${outcome("identical", "identical", genuineIcon, identical, identicalMeans)}
${outcome("different", "different", invalidatedIcon, language.fileDifferent, language.fileDifferentMeans)}
${outcome("unreadable", "unreadable", notFoundIcon, language.fileUnreadable)}
<details open="">
<summary>${language.byHand}</summary>
<p>${language.byHandChecksum}</p>
<p><code dir="ltr">${fileSha256}</code></p>
<p>${language.byHandCommands}</p>
<pre dir="ltr"><code>${COMMANDS}</code></pre>
</details>
</section>`;
}
