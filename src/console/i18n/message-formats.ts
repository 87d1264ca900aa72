import { fullStopAfter } from "#foundation/languages/message.js";

type Forms = Readonly<Partial<Record<string, string>>> & { readonly other: string };

/** Returns the functions that a language's compiled messages call: see `catalogue-plugin.ts`. */
export function messageFormats(tag: string) {
  const rules = new Intl.PluralRules(tag);
  const { format: number } = new Intl.NumberFormat(tag);
  return {
    number,
    fullStopAfter,
    /**
     * @param formsOf receives the formatted number, and returns the forms by plural category or by a number such as
     * `=0`
     */
    plural(n: number, formsOf: (count: string) => Forms): string {
      const forms = formsOf(number(n));
      return forms[`=${n}`] ?? forms[rules.select(n)] ?? forms.other;
    },
  };
}
