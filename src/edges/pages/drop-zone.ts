import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";

/** Area where a file is chosen or dropped, and where the script shows the outcome. It is hidden without the script. */
export function dropZone(language: PageLanguage, accept: string, choose: string): Html {
  return html`<div class="drop" hidden="">
<input class="away" type="file" id="file" accept="${accept}" />
<label class="button" for="file">${choose}</label>
<span class="small">${language.dropFile}</span>
</div>
<div class="answer" role="status" aria-live="polite"></div>
`;
}

/**
 * Template for an outcome of a check. The script shows a copy of it with the file name. @param look CSS class for its
 * colour
 */
export function outcome(
  name: string,
  look: string,
  icon: Html | undefined,
  words: string,
  means?: string | Html,
  more?: Html,
): Html {
  return html`<template class="${name}"><div class="outcome ${look}">${icon}<div><strong>${words}</strong>${means && html`<p>${means}</p>`}${more}<p class="small"><bdi class="file"></bdi></p></div></div></template>`;
}
