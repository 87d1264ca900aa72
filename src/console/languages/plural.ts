/** The forms of a phrase. A language needs those that `Intl.PluralRules` names for it; `{n}` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Counts in a language: `counter("en")({ one: "{n} row", other: "{n} rows" })(1)` is `1 row`. */
export function counter(tag: string): (forms: Forms) => (n: number) => string {
  const rules = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  return (forms) => (n) => (forms[rules.select(n)] ?? forms.other).replaceAll("{n}", numbers.format(n));
}
