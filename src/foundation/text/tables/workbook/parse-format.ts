import type { Calendar } from "./calendar-date.js";

/**
 * `digit` is 0, # or ?. `date` is one letter, repeated or not, for example `yyyy`. `elapsed` is such a sequence in
 * brackets.
 */
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

/** A section of a format, which applies to some values, for example to negative numbers. */
export interface FormatSection {
  readonly kind: "number" | "date" | "text";
  readonly tokens: readonly FormatToken[];
  /** If undefined, the section's position decides to which numbers it applies. */
  readonly condition?: ((value: number) => boolean) | undefined;
  /** Language of the names of months and days, for example `de`. */
  readonly language: string;
  /** True to use the form of month names that is used after a day: `березня`. */
  readonly isGenitive: boolean;
  readonly calendar: Calendar | "gregory" | undefined;
}

/** Maximum length of a format in Excel. */
export const MAX_FORMAT = 255;

const piece =
  /"(?<quoted>[^"]*)"?|\\(?<escaped>.)|(?<gap>_.)|(?<fill>\*.)|\[(?<bracket>[^\]]*)\]|(?<general>General)|(?<meridiem>AM\/PM|A\/P)|(?<exponent>(?<=[0#?.])E[+-])|(?<calendar>B[12])|(?<date>y+|m+|d+|h+|s+|g+|e+|b+)|(?<digit>[0#?])|(?<point>\.)|(?<comma>,)|(?<percent>%)|(?<at>@)|(?<end>;)|(?<literal>[\s\S])/giu;

const NAMED_GROUPS = [
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

/** Languages by the low ten bits of their Windows id (MS-LCID). */
const languages =
  ". ar bg ca zh cs da de el en es fi fr he hu is it ja ko nl nb pl pt rm ro ru hr sk sq sv th tr ur id uk be sl et lv lt tg fa vi hy az eu hsb mk . . . . . . af ka fo hi mt . ga . ms kk ky sw tk uz tt bn pa gu or ta te kn ml as mr sa mn bo cy km lo my gl".split(
    " ",
  );

/** Calendars by their Windows id. */
const calendars: Readonly<Record<number, Calendar>> = {
  3: "japanese",
  4: "roc",
  5: "dangi",
  6: "islamic-civil",
  7: "buddhist",
  8: "hebrew",
  23: "islamic-umalqura",
};

/** Splits a format into its sections. Ignores colours, widths and digits of other scripts. */
export function parseFormat(code: string): FormatSection[] {
  const sections: FormatSection[] = [];
  let draft = emptyDraft();
  for (const { groups = {} } of code.matchAll(piece)) {
    if (groups.end !== undefined) {
      sections.push(finished(draft));
      draft = emptyDraft();
    } else if (groups.bracket !== undefined) readBracket(groups.bracket, draft);
    else if (groups.calendar !== undefined)
      draft.calendar = groups.calendar.endsWith("2") ? "islamic-civil" : "gregory";
    else draft.tokens.push(...tokenOf(groups));
  }
  return [...sections, finished(draft)];
}

interface Draft {
  readonly tokens: FormatToken[];
  condition: ((value: number) => boolean) | undefined;
  language: string;
  isGenitive: boolean;
  calendar: FormatSection["calendar"];
}

function emptyDraft(): Draft {
  return { tokens: [], condition: undefined, language: "en", isGenitive: false, calendar: undefined };
}

function finished(parsedDraft: Draft): FormatSection {
  const isNumber =
    parsedDraft.tokens.some(({ kind }) => kind === "digit") && !parsedDraft.tokens.some(isUsualDate);
  // A unit that some programs write without quotation marks, for example 0 g.
  const draft = isNumber ? { ...parsedDraft, tokens: parsedDraft.tokens.map(asLiteral) } : parsedDraft;
  const has = (...kinds: FormatToken["kind"][]) => draft.tokens.some(({ kind }) => kinds.includes(kind));
  if (has("date", "elapsed", "meridiem")) return { ...draft, kind: "date" };
  return { ...draft, kind: has("at") ? "text" : "number" };
}

function isUsualDate({ kind, text }: FormatToken): boolean {
  return kind === "elapsed" || kind === "meridiem" || (kind === "date" && !/^[geb]/i.test(text));
}

function asLiteral(token: FormatToken): FormatToken {
  return token.kind === "date" ? { ...token, kind: "literal" } : token;
}

function tokenOf(groups: Record<string, string | undefined>): FormatToken[] {
  if (groups.gap !== undefined || groups.fill !== undefined) return [];
  for (const kind of NAMED_GROUPS) {
    const text = groups[kind];
    if (text !== undefined) return [{ kind, text }];
  }
  return [{ kind: "literal", text: groups.quoted ?? groups.escaped ?? groups.literal ?? "" }];
}

/** Brackets contain elapsed time, a condition, a currency with a language, or a colour. */
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
  const [, currency, localeId = ""] = /^\$([^-]*)(?:-(.*))?$/.exec(text) ?? [];
  if (currency) draft.tokens.push({ kind: "literal", text: currency });
  // Long date or time of the reader's system.
  if (/^(?:f[48]00|x-sys(?:date|time))/i.test(localeId)) draft.tokens.push({ kind: "date", text: "iso" });
  else if (/^[\da-f]{3,8}$/i.test(localeId)) readWindowsLocale(Number.parseInt(localeId, 16), draft);
  else if (localeId !== "") readTag(localeId, draft);
}

/** Reads calendar and language from a Windows id. The id also contains the script of digits, which is ignored. */
function readWindowsLocale(number: number, draft: Draft): void {
  draft.calendar = calendars[(number >>> 16) & 0xff] ?? draft.calendar;
  draft.language = languageOf(languages[number & 0x3ff]) ?? "en";
  draft.isGenitive = (number & 0xfc00) === 0xfc00;
}

/** Reads a BCP 47 tag with an optional calendar, as newer versions of Excel write them: `th-TH,107`. */
function readTag(text: string, draft: Draft): void {
  const [tag = "", number] = text.split(",");
  draft.language = languageOf(tag.replace(/-x-.*/i, "")) ?? "en";
  if (number !== undefined) draft.calendar = calendars[Number.parseInt(number, 16) & 0xff] ?? draft.calendar;
}

/** @returns undefined if `Intl` has no names of months and weekdays in the language */
function languageOf(tag: string | undefined): string | undefined {
  try {
    return tag === undefined ? undefined : Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
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
