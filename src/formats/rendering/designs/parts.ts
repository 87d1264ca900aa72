const award = { block: "award" } as const;

export const issuer = { ...award, text: "{platform_name}", max_lines: 2 } as const;
export const title = { ...award, text: "{title}", shrink: 0.85, max_lines: 2, color: "accent" } as const;
export const name = { ...award, max_lines: 2 } as const;
export const context = { ...award, shrink: 0.85, max_lines: 3 } as const;

/** Joining words between name and context, in the sans serif font of `defaults`. */
export const joining = { ...award, color: "ink/75" } as const;
export const italicJoining = { ...joining, font: "EB Garamond Italic" } as const;

export const date = { ...award, text: "{words.date_of_issue}: {issue_date}", color: "ink/85" } as const;
export const verify = { text: "{words.verify_at} {verify_short_url}", color: "ink/75" } as const;

/** Labels of facts and signatures. */
export const italicLabels = { label_font: "EB Garamond Italic" } as const;
export const sansLabels = { font: "Source Sans SemiBold", label_font: "Source Sans" } as const;
export const facts = { ...award, ...italicLabels, size: 15 } as const;
export const signatures = { ...award, ...italicLabels, line: "ink/50" } as const;

export const capitals = { uppercase: true, char_space: 1.8 } as const;
