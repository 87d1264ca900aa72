import type { AchievementDetails } from "#domain/credentials/verification/look-up-verification.js";
import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";
import { isolatedHtml } from "./layout.js";

/**
 * Renders the details of the achievement in a badge. Links are `nofollow` for search engines, because institutions
 * choose them.
 */
export function achievementFacts(
  { alignment = [], creator, credits, field_of_study: field }: AchievementDetails,
  language: PageLanguage,
): Html[] {
  return [
    ...(field === undefined
      ? []
      : [html`<div><dt>${language.fieldOfStudy}</dt><dd>${isolatedHtml(field)}</dd></div>\n`]),
    ...(credits === undefined
      ? []
      : [
          html`<div><dt>${language.credits}</dt><dd>${new Intl.NumberFormat(language.tag).format(credits)}</dd></div>\n`,
        ]),
    ...(creator ? [html`<div><dt>${language.definedBy}</dt><dd>${link(creator)}</dd></div>\n`] : []),
    ...(alignment.length > 0
      ? [
          html`<div class="wide"><dt>${language.skills}</dt><dd><ul class="skills">${alignment.map(skill)}</ul></dd></div>\n`,
        ]
      : []),
  ];
}

function skill(each: NonNullable<AchievementDetails["alignment"]>[number]): Html {
  const { framework, code } = each;
  const where = [framework, code].filter((part) => part !== undefined);
  return html`<li>${link(each)}${where.map((part) => html` <span class="second">${isolatedHtml(part)}</span>`)}</li>`;
}

function link({ name, url }: { readonly name: string; readonly url: string }): Html {
  return html`<a href="${url}" rel="noopener nofollow">${isolatedHtml(name)}</a>`;
}
