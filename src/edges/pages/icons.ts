import { type Html, html } from "../http/html.js";

// All icons are decorative: the words beside them have the same meaning.

const seal = html`<g fill="currentColor">
${[0, 22.5, 45, 67.5].map((angle) => html`<rect x="7" y="7" width="34" height="34" rx="6" transform="rotate(${String(angle)} 24 24)" />`)}
</g>`;

/** The seal as a stand-alone picture, for any background. */
export const sealPicture =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" color="#14633f">${seal}<path d="M15.5 24.5l6 6 11.5-12.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" /></svg>`
    .html;

const drawn = (strokes: string) =>
  html`<path class="sign" d="${strokes}" fill="none" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" />`;

const icon = (content: Html) =>
  html`<svg class="icon" viewBox="0 0 48 48" aria-hidden="true">${content}</svg>`;

export const genuineIcon = icon(html`${seal}${drawn("M15.5 24.5l6 6 11.5-12.5")}`);

export const invalidatedIcon = icon(
  html`<path fill="currentColor" d="M16 4h16l12 12v16L32 44H16L4 32V16z" />${drawn("M17 17l14 14M31 17L17 31")}`,
);

/** An hourglass. */
export const expiredIcon = icon(
  html`<circle cx="24" cy="24" r="20" fill="currentColor" />${drawn("M16.5 13.5h15M16.5 34.5h15M18.5 13.5c0 7 11 14 11 21M29.5 13.5c0 7-11 14-11 21")}`,
);

export const replacedIcon = icon(
  html`<circle cx="24" cy="24" r="20" fill="currentColor" />${drawn("M13.5 24a10.5 10.5 0 0 1 18-7.4M34.5 24a10.5 10.5 0 0 1-18 7.4M32 10.5v7h-7M16 37.5v-7h7")}`,
);

export const notFoundIcon = icon(
  html`<circle cx="24" cy="24" r="20" fill="currentColor" />${drawn("M18 19.5c0-8 12-8 12 0 0 5-6 5-6 9.5M24 35v.1")}`,
);

/** A guilloche, as on certificates. */
export const rosette = html`<svg class="rosette" viewBox="-100 -100 200 200" aria-hidden="true">
<g fill="none" stroke="currentColor" stroke-width="0.7">
${petals(98, 38)}
${petals(44, 14)}
</g>
</svg>`;

function petals(rx: number, ry: number): Html[] {
  return Array.from(
    { length: 24 },
    (_, index) =>
      html`<ellipse rx="${String(rx)}" ry="${String(ry)}" transform="rotate(${String(index * 7.5)})" />`,
  );
}

export const favicon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><g fill="#1f5468"><rect x="7" y="7" width="34" height="34" rx="6"/><rect x="7" y="7" width="34" height="34" rx="6" transform="rotate(45 24 24)"/></g><path d="M15.5 24.5l6 6 11.5-12.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
