type Forms = Readonly<Partial<Record<string, string>>> & { readonly other: string };

/** The functions that compiled messages of a language call; see `catalogue-plugin.ts`. */
export function messageFormats(tag: string) {
  const rules = new Intl.PluralRules(tag);
  const { format: number } = new Intl.NumberFormat(tag);
  return {
    number,
    /** @param formsOf returns the forms by plural category, or by a number such as `=0`, for the number in digits */
    plural(n: number, formsOf: (count: string) => Forms): string {
      const forms = formsOf(number(n));
      return forms[`=${n}`] ?? forms[rules.select(n)] ?? forms.other;
    },
  };
}
