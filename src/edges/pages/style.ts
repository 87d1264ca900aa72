import { LINK_BACKGROUNDS } from "#foundation/color/legible-accent.js";

const LIGHT_VERDICTS = `
  --genuine: #14633f; --invalidated: #9c1f22; --not-found: #6d4c0c; --expired: #8a4b00;
  --genuine-text: #14633f; --invalidated-text: #9c1f22; --expired-text: #8a4b00;`;

/** The style of all pages. Must not contain `<` or `&`, because a page is also well-formed XML. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: ${LINK_BACKGROUNDS.light}; --card: #fffefb; --ink: #1c2529; --faint: #566269; --line: #dcdbd2;
  --accent: #1f5468; --accent-ink: #ffffff; --well: ${LINK_BACKGROUNDS.light}; --banner-ink: #ffffff;${LIGHT_VERDICTS}
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11171a; --card: ${LINK_BACKGROUNDS.dark}; --ink: #e9eeef; --faint: #a6b3b8; --line: #323d42;
    --accent: #8cc5da; --accent-ink: #0d1a20; --well: #141b1e;
    --genuine: #17603f; --invalidated: #8f2326; --not-found: #614612; --expired: #7d4705;
    --genuine-text: #7fd3a6; --invalidated-text: #f5a3a3; --expired-text: #f2bd73;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0 auto; max-width: 47rem; padding: min(1rem, 4vw); background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, h3, p, dl, dd, ul, pre { margin: 0; }
h1 { font-size: min(2rem, 11vw); }
h1, h2, h3, li, th { hyphens: auto; }
ul { padding-inline-start: min(1.5rem, 6vw); }
h1, h2, h3, .name, .context { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "EB Garamond", Georgia, "Noto Serif", serif; overflow-wrap: anywhere; }
:lang(ar) :is(h1, h2, h3, .name, .context) { font-family: inherit; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }

header { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: baseline; justify-content: space-between; padding: 0.25rem 0.25rem 1rem; }
.platform { display: flex; gap: 0.75rem; align-items: center; font-weight: 600; letter-spacing: 0.01em; overflow-wrap: anywhere; }
.platform .logo { flex: none; max-width: 12rem; margin: 0; }
.brand-links { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; }
nav { padding: 1.25rem 0.25rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 0.9rem; padding: 0; list-style: none; font-size: 0.9rem; }
nav a { display: inline-block; padding: 0.15rem 0; }
nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration-thickness: 2px; }

.card { overflow: hidden; border: 1px solid var(--line); border-radius: 14px; background: var(--card); box-shadow: 0 1px 2px rgb(0 0 0 / 0.06), 0 12px 32px -16px rgb(0 0 0 / 0.2); }
.card + .card { margin-top: 1rem; }
.padded { padding: 1.5rem min(1.75rem, 6vw); }

.verdict { position: relative; display: flex; flex-wrap: wrap; gap: 1.25rem; align-items: center; overflow: hidden; padding: 1.6rem 1.75rem; color: var(--banner-ink); }
.genuine .verdict { background: var(--genuine); }
.invalidated .verdict { background: var(--invalidated); }
:is(.expired, .replaced) .verdict { background: var(--expired); }
:is(.not-found, .unconfirmed) .verdict { background: var(--not-found); }
.verdict .icon { flex: none; width: 4rem; height: 4rem; color: var(--banner-ink); }
.genuine .verdict .sign { stroke: var(--genuine); }
.invalidated .verdict .sign { stroke: var(--invalidated); }
:is(.expired, .replaced) .verdict .sign { stroke: var(--expired); }
:is(.not-found, .unconfirmed) .verdict .sign { stroke: var(--not-found); }
.verdict > div { flex: 1 1 8rem; }
.verdict h1 { position: relative; font-size: 1.75rem; line-height: 1.2; font-weight: 600; text-wrap: balance; }
.verdict p { position: relative; margin-top: 0.35rem; overflow-wrap: anywhere; text-wrap: balance; }
.rosette { position: absolute; inset-block-start: -4.5rem; inset-inline-end: -4.5rem; width: 16rem; height: 16rem; opacity: 0.17; }
.picture { padding: 1.6rem 1.75rem 0; }
.picture img, .thumbnail { display: block; max-width: 100%; max-height: 32rem; margin-inline: auto; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
.picture img { min-height: 8rem; }
.thumbnail { width: 100%; margin: 0; aspect-ratio: 1.414; object-fit: contain; }
@media (min-width: 40rem) {
  .own:has(.thumbnail) { grid-template-columns: 14rem 1fr; column-gap: 1.5rem; align-content: start; }
  .thumbnail { grid-row: span 8; }
}
.explanation { text-wrap: pretty; }
.own { display: grid; gap: 0.35rem; overflow-wrap: anywhere; }
.own .share { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; margin-top: 0.6rem; }
.more { margin-top: 1rem; text-align: center; }
.to-earn { margin-top: 1.75rem; }

dl { display: grid; grid-template-columns: 1fr 1fr; gap: 1.1rem 1.5rem; padding: 1.6rem 1.75rem 1.75rem; }
dl > * { min-width: 0; overflow-wrap: anywhere; }
.wide { grid-column: 1 / -1; }
dt { color: var(--faint); font-size: 0.85rem; }
dd { font-size: 1.05rem; }
.name { font-size: 2.1rem; line-height: 1.25; }
.context { font-size: 1.45rem; line-height: 1.3; }
.removed { color: var(--faint); font-size: 1.1rem; font-style: italic; font-family: inherit; }
.ruled { padding-bottom: 1.2rem; border-bottom: 1px solid var(--line); }
.second { display: block; color: var(--faint); font-size: 0.9rem; }
.skills { display: grid; gap: 0.4rem; padding: 0; list-style: none; }
.logo { display: block; max-width: 10rem; height: 3rem; margin-bottom: 0.3rem; padding: 0.25rem; border-radius: 6px; background: #fff; object-fit: contain; object-position: left; }
[dir="rtl"] .logo { object-position: right; }
.status { display: inline-flex; gap: 0.45rem; align-items: center; font-weight: 600; }
.status .icon { width: 1.25rem; height: 1.25rem; }
:is(.genuine, .unconfirmed) .status { color: var(--genuine-text); }
.invalidated .status { color: var(--invalidated-text); }
:is(.expired, .replaced) .status { color: var(--expired-text); }
.status .sign { stroke: var(--card); stroke-width: 5; }
code { font: 0.92rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; unicode-bidi: isolate; overflow-wrap: anywhere; }

h2, h3 { margin-bottom: 0.4rem; font-size: min(1.3rem, 8vw); line-height: 1.3; font-weight: 600; }
.explanation, .small { color: var(--faint); }
.small { font-size: 0.9rem; }
.drop { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: center; justify-content: center; margin-top: 1rem; padding: 1.4rem 1rem; border: 2px dashed var(--line); border-radius: 10px; background: var(--well); }
@media (hover: none) { .drop .small { display: none; } }
.drop.over { border-color: var(--accent); border-style: solid; }
.away { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.away:focus-visible + .button { outline: 3px solid var(--accent); outline-offset: 3px; }
.button, button { display: inline-block; max-width: 100%; overflow-wrap: anywhere; padding: 0.6rem 1.15rem; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button:hover, button:hover { filter: brightness(1.12); }
.answer > * { margin-top: 1rem; }
.answer p { overflow-wrap: anywhere; }
.outcome { display: flex; gap: 0.9rem; align-items: flex-start; padding: 1rem 1.1rem; border: 1px solid var(--line); border-inline-start: 5px solid var(--faint); border-radius: 8px; }
.outcome .icon { flex: none; width: 2rem; height: 2rem; }
.outcome .sign { stroke: var(--card); }
.outcome.identical { border-inline-start-color: var(--genuine-text); }
.outcome.identical :is(.icon, strong) { color: var(--genuine-text); }
:is(.invalidated, .expired, .replaced) ~ .file-check .outcome.identical { border-inline-start-color: var(--faint); }
:is(.invalidated, .expired, .replaced) ~ .file-check .outcome.identical :is(.icon, strong) { color: var(--ink); }
.outcome.different { border-inline-start-color: var(--invalidated-text); }
.outcome.different :is(.icon, strong) { color: var(--invalidated-text); }
.outcome.expired { border-inline-start-color: var(--expired-text); }
.outcome.expired :is(.icon, strong) { color: var(--expired-text); }
.outcome.badge { border-inline-start-color: var(--expired-text); }
.outcome .caution { margin-top: 0.5rem; color: var(--expired-text); font-weight: 600; }
.outcome strong { display: block; font-size: 1.1rem; }
.outcome > div { min-width: 0; }
.outcome dl { padding: 0.75rem 0; gap: 0.6rem 1.25rem; }
.badges { padding: 0; list-style: none; }
.badges li { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: 0.4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.outcome .badges strong[class] { display: inline; font-size: 1rem; color: var(--faint); }
.outcome .badges strong.genuine { color: var(--genuine-text); }
.outcome .badges strong.withdrawn { color: var(--invalidated-text); }
.outcome .badges strong.expired { color: var(--expired-text); }
.any-file .unscripted { color: var(--faint); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.35rem 0.5rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: start; font-weight: 400; overflow-wrap: anywhere; }
thead th { color: var(--faint); font-size: 0.85rem; }
td { font-variant-numeric: tabular-nums; }
details { margin-top: 1rem; }
summary { width: fit-content; color: var(--accent); cursor: pointer; }
details > * + * { margin-top: 0.5rem; }
pre { padding: 0.75rem 1rem; border-radius: 8px; background: var(--well); text-align: start; white-space: pre-wrap; }

form, .share { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: flex-end; margin-top: 1rem; }
.field { flex: 1 1 20rem; min-width: 0; }
label { display: block; }
.field label { margin-bottom: 0.25rem; font-size: 0.9rem; color: var(--faint); }
input[type="text"], input:not([type]), input[type="url"] { width: 100%; padding: 0.6rem 0.75rem; border: 1px solid var(--faint); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; }
.wrong { margin-top: 1rem; padding: 0.75rem 1rem; border-inline-start: 5px solid var(--invalidated-text); background: var(--well); overflow-wrap: anywhere; }
[aria-invalid="true"] { border: 2px solid var(--invalidated-text) !important; }
.linkedin, .whole { margin-top: 1rem; }
.whole { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-bottom: 0.6rem; }
.quiet { background: none; color: var(--accent); }
#example { margin-top: 0.5rem; }

footer { display: grid; gap: 0.35rem; padding: 1.25rem 0.25rem 2rem; color: var(--faint); font-size: 0.9rem; overflow-wrap: anywhere; }

@media (max-width: 34rem) {
  body { padding: 0.75rem; }
  .padded, .verdict, dl { padding-inline: 1.15rem; }
  .verdict { gap: 0.9rem; align-items: flex-start; }
  .verdict .icon { width: 3rem; height: 3rem; }
  .verdict h1 { font-size: 1.4rem; }
  .rosette { inset-block-start: -6rem; inset-inline-end: -6rem; }
  dl { grid-template-columns: 1fr; gap: 0.9rem; }
  .name { font-size: 1.75rem; }
  .context { font-size: 1.25rem; }
}
@media (forced-colors: active) {
  .verdict { border-bottom: 2px solid CanvasText; }
  .verdict .icon, .verdict .sign { forced-color-adjust: none; }
}
.printed { display: none; }
@media print {
  .printed { display: block; }
  :root { --paper: #fff; --card: #fff; --ink: #000; --faint: #444; --line: #999;${LIGHT_VERDICTS} }
  body { max-width: none; padding: 0; }
  nav, .screen, .rosette, .verify-another { display: none !important; }
  .card { box-shadow: none; break-inside: avoid; }
  .verdict { border-bottom: 1px solid var(--line); background: none !important; color: var(--ink); }
  .verdict .sign { stroke: #fff !important; }
  .genuine .verdict .icon { color: var(--genuine); }
  .invalidated .verdict .icon { color: var(--invalidated); }
  :is(.expired, .replaced) .verdict .icon { color: var(--expired); }
  :is(.not-found, .unconfirmed) .verdict .icon { color: var(--not-found); }
  .icon { print-color-adjust: exact; }
}
`;
