import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";

/** The area where visitors choose or drop a file, and where the script shows the outcome. Hidden without the script. */
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
 * The template of an outcome. The script shows a copy with the name of the file.
 * @param look CSS class that determines the colour
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
