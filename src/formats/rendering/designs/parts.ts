const award = { block: "award" } as const;

export const issuer = { ...award, text: "{platform_name}", max_lines: 2 } as const;
export const title = { ...award, text: "{title}", shrink: 0.85, max_lines: 2, color: "accent" } as const;
export const name = { ...award, max_lines: 2 } as const;
export const context = { ...award, shrink: 0.85, max_lines: 3 } as const;

/** Joining words between name and context, in the sans serif font of `defaults`. */
export const joining = { ...award, color: "ink/75" } as const;
export const italicJoining = { ...joining, font: "EB Garamond Italic" } as const;

/** Date and address at the foot of the page. */
export const footDate = {
  text: "{words.date_of_issue}: {issue_date}",
  size: 10.5,
  color: "ink/85",
} as const;
export const verify = { text: "{words.verify_at} {verify_short_url}", size: 10.5, color: "ink/85" } as const;

/** Date and address at the foot of a landscape page, in two languages side by side. */
export function footInTwoLanguages(place: { readonly y: number; readonly max_width: number }) {
  const foot = { ...place, size: 9.5, max_lines: 3, color: "ink/85" } as const;
  return {
    foot: {
      ...foot,
      text: "{words.date_of_issue}: {issue_date}\n{words.verify_at} {verify_short_url}",
      x: 411,
      align: "right",
    },
    second_foot: {
      ...foot,
      text: "{second.date_of_issue}: {second.issue_date}\n{second.verify_at} {verify_short_url}",
      x: 431,
      align: "left",
    },
    date: false,
  } as const;
}

/** Label below a date. */
export const dateLabel = {
  text: "{words.date_of_issue}",
  font: "EB Garamond Italic",
  color: "ink/75",
} as const;

/** Date in the block of the award. */
export const date = { ...award, ...footDate } as const;

/** Labels of facts and signatures. */
export const italicLabels = { label_font: "EB Garamond Italic" } as const;
export const sansLabels = { font: "Source Sans SemiBold", label_font: "Source Sans" } as const;
export const facts = { ...award, ...italicLabels, size: 15 } as const;
export const signatures = { ...award, ...italicLabels, line: "ink/50" } as const;

export const capitalStyle = { uppercase: true, char_space: 1.8 } as const;
