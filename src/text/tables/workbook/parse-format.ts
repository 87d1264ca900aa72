/** A piece of a format. `digit` is 0, # or ?; `date` is a run of one letter, `elapsed` such a run in brackets. */
export interface FormatToken {
  readonly kind:
    | "at"
    | "comma"
    | "date"
    | "digit"
    | "elapsed"
    | "exponent"
    | "general"
    | "literal"
    | "meridiem"
    | "percent"
    | "point";
  readonly text: string;
}

/** A format for some of the values. */
export interface FormatSection {
  readonly kind: "number" | "date" | "text";
  readonly tokens: readonly FormatToken[];
  /** If undefined, its position tells for which numbers it is. */
  readonly condition?: ((value: number) => boolean) | undefined;
  /** The language of names of months and days, such as `de`. */
  readonly language: string;
}

/** Excel takes 255 characters. */
const MAX_LENGTH = 1000;

const piece =
  /"(?<quoted>[^"]*)"?|\\(?<escaped>.)|(?<gap>_.)|(?<fill>\*.)|\[(?<bracket>[^\]]*)\]|(?<general>General)|(?<meridiem>AM\/PM|A\/P)|(?<exponent>E[+-])|(?<date>y+|m+|d+|h+|s+)|(?<digit>[0#?])|(?<point>\.)|(?<comma>,)|(?<percent>%)|(?<at>@)|(?<end>;)|(?<literal>[\s\S])/giu;

const NAMED = [
  "general",
  "meridiem",
  "exponent",
  "date",
  "digit",
  "point",
  "comma",
  "percent",
  "at",
] as const;

/** Languages by the lower byte of their number in Windows. */
const languages: Readonly<Record<number, string>> = {
  1: "ar",
  7: "de",
  9: "en",
  10: "es",
  12: "fr",
  16: "it",
  19: "nl",
  21: "pl",
  22: "pt",
  25: "ru",
  34: "uk",
};

/** Splits a format into its sections. Colours, widths and digits of other scripts are left out. */
export function parseFormat(code: string): FormatSection[] {
  const sections: FormatSection[] = [];
  let draft = emptyDraft();
  for (const { groups = {} } of code.slice(0, MAX_LENGTH).matchAll(piece)) {
    if (groups.end !== undefined) {
      sections.push(finished(draft));
      draft = emptyDraft();
    } else if (groups.bracket !== undefined) readBracket(groups.bracket, draft);
    else draft.tokens.push(...tokenOf(groups));
  }
  return [...sections, finished(draft)];
}

interface Draft {
  readonly tokens: FormatToken[];
  condition: ((value: number) => boolean) | undefined;
  language: string;
}

function emptyDraft(): Draft {
  return { tokens: [], condition: undefined, language: "en" };
}

function finished(draft: Draft): FormatSection {
  const has = (...kinds: FormatToken["kind"][]) => draft.tokens.some(({ kind }) => kinds.includes(kind));
  if (has("date", "elapsed", "meridiem")) return { ...draft, kind: "date" };
  return { ...draft, kind: has("at") ? "text" : "number" };
}

function tokenOf(groups: Record<string, string | undefined>): FormatToken[] {
  if (groups.gap !== undefined || groups.fill !== undefined) return [];
  for (const kind of NAMED) {
    const text = groups[kind];
    if (text !== undefined) return [{ kind, text }];
  }
  return [{ kind: "literal", text: groups.quoted ?? groups.escaped ?? groups.literal ?? "" }];
}

/** Brackets hold elapsed time, a condition, a currency with a language, or a colour. */
function readBracket(text: string, draft: Draft): void {
  if (/^(h+|m+|s+)$/i.test(text)) {
    draft.tokens.push({ kind: "elapsed", text });
    return;
  }
  const [, sign, bound] = /^(<=|>=|<>|<|>|=)(-?[\d.]+)$/.exec(text) ?? [];
  if (sign !== undefined) {
    draft.condition = comparison(sign, Number(bound));
    return;
  }
  const [, currency, number] = /^\$([^-]*)(?:-([\da-f]+))?/i.exec(text) ?? [];
  if (currency) draft.tokens.push({ kind: "literal", text: currency });
  if (number === undefined) return;
  const windows = Number.parseInt(number, 16) & 0xffff;
  // the reader's own long date, and time
  if (windows === 0xf800) draft.tokens.push({ kind: "date", text: "iso" });
  else draft.language = languages[windows & 0xff] ?? "en";
}

function comparison(sign: string, bound: number): (value: number) => boolean {
  const signs: Record<string, (value: number) => boolean> = {
    "<": (value) => value < bound,
    "<=": (value) => value <= bound,
    ">": (value) => value > bound,
    ">=": (value) => value >= bound,
    "=": (value) => value === bound,
    "<>": (value) => value !== bound,
  };
  return signs[sign] ?? (() => false);
}
