import { isFontFamily } from "#formats/rendering/text/font-families.js";
import { quoted } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import type { Options } from "../configurations/options.js";

/** Options for this service that have the same effect as the plug-in's options. */
interface TranslatedOptions {
  readonly options: Options;
  /** How the translated options differ in effect from the plug-in's. Each is a clause that names the option. */
  readonly changes: readonly string[];
}

interface TranslationDeps {
  readonly retrievalFunc: string;
  /** Slugs of assets in this service, by their slugs in the plug-in. */
  readonly slugs: ReadonlyMap<string, string>;
}

const RETRIEVAL_OPTIONS = ["required_grades", "required_completion", "steps"] as const;
const STYLE = ["font", "color", "size", "char_space", "uppercase", "line_height"] as const;
const DEFAULT_TEXTS = ["name", "context", "date"];
const KNOWN_PLACEHOLDERS = ["name", "context_name", "issue_date", "verify_uuid"];
/** The plug-in's actual default size of every element. Its documentation states a different one. */
const PRINTED_SIZE = 12;

/** Fonts that every PDF viewer has. They can't be embedded. */
const STANDARD_FONTS =
  /^(?:Helvetica|Courier)(?:-(?:Bold|Oblique|BoldOblique))?$|^Times-(?:Roman|Bold|Italic|BoldItalic)$|^(?:Symbol|ZapfDingbats)$/;

/** The most similar built-in font for each standard font. */
const SIMILAR_FONTS: Readonly<Record<string, string>> = {
  Helvetica: "Source Sans",
  "Helvetica-Bold": "Source Sans SemiBold",
  "Helvetica-Oblique": "Source Sans Italic",
  "Helvetica-BoldOblique": "Source Sans SemiBold",
  "Times-Roman": "EB Garamond",
  "Times-Bold": "EB Garamond SemiBold",
  "Times-Italic": "EB Garamond Italic",
  "Times-BoldItalic": "EB Garamond SemiBold",
};
const DEFAULT_FONT = "Helvetica";

/**
 * Translates options of learning-credentials 0.5 into options with the same effect.
 * @param source JSON, which dumps contain as text
 * @param isType whether these are the options of a credential type; if so, the plug-in's defaults are written into
 *   them, because this service may have other defaults
 */
export function translateOptions(source: unknown, deps: TranslationDeps, isType: boolean): TranslatedOptions {
  const changes: string[] = [];
  const change = (what: string) => changes.push(what);
  const own = readSource(source, change);
  const options: Record<string, unknown> = {
    ...translateRequirements(own, deps.retrievalFunc, change),
    ...translateDesign(own, deps.slugs, isType, change),
  };
  const translatable = [
    ...RETRIEVAL_OPTIONS,
    "template",
    "template_multiline",
    "template_two_lines",
    "defaults",
    "text_elements",
  ];
  for (const name of Object.keys(own).filter((each) => !translatable.includes(each)))
    change(`${name} is left out: the plug-in ignores it`);
  return { options, changes };
}

type Change = (what: string) => void;

function readSource(source: unknown, change: Change): Options {
  let value = source;
  for (let time = 0; time < 2 && typeof value === "string" && value.trim() !== ""; time++) {
    try {
      value = JSON.parse(value);
    } catch {
      change("the options are left out: they are not JSON");
      return {};
    }
  }
  return isObject(value) ? value : {};
}

/** Translates requirements. Leaves out options that the retrieval function doesn't use. */
function translateRequirements(own: Options, retrievalFunc: string, change: Change): Options {
  const hasGrades = retrievalFunc.includes("grades");
  const hasCompletion = retrievalFunc.includes("completions");
  const options: Record<string, unknown> = {};
  if (own.required_grades !== undefined) {
    if (hasGrades) options.required_grades = translateGrades(own.required_grades, change);
    else change("required_grades is left out: its function does not use it");
  }
  if (own.required_completion !== undefined) {
    if (hasCompletion)
      options.required_completion = fraction("required_completion", own.required_completion, change);
    else change("required_completion is left out: its function does not use it");
  }
  if (isObject(own.steps)) {
    options.steps = Object.fromEntries(
      Object.entries(own.steps).map(([key, step]) => [
        key,
        translateRequirements(isObject(step) ? step : {}, retrievalFunc, (what) =>
          change(`steps.${key}: ${what}`),
        ),
      ]),
    );
  }
  return options;
}

function translateGrades(source: unknown, change: Change): Options {
  const grades: Record<string, number> = {};
  for (const [name, value] of Object.entries(isObject(source) ? source : {})) {
    const duplicate = Object.keys(grades).find((each) => each.toLowerCase() === name.toLowerCase());
    if (duplicate !== undefined) {
      change(`required_grades.${duplicate} is left out: ${name} replaces it`);
      delete grades[duplicate];
    }
    grades[name] = fraction(`required_grades.${name}`, value, change);
  }
  if (Object.keys(grades).length > 0) return grades;
  change('required_grades is empty, which everyone meets: it is now {"Total": 0}');
  return { Total: 0 };
}

/**
 * Limits a required fraction to the range from 0 to 1; anything that isn't a number becomes 1. Valid requirements are
 * never lowered, so that nobody gets a credential by mistake.
 */
function fraction(option: string, value: unknown, change: Change): number {
  const number = typeof value === "number" ? value : Number.NaN;
  if (number >= 0 && number <= 1) return number;
  if (number < 0) {
    change(`${option} is ${number}: it is now 0`);
    return 0;
  }
  change(`${option} is ${shown(value)}, which nobody reaches: it is now 1; state a fraction from 0 to 1`);
  return 1;
}

function shown(value: unknown): string {
  return quoted(JSON.stringify(value) ?? "");
}

function translateDesign(
  own: Options,
  slugs: TranslationDeps["slugs"],
  isType: boolean,
  change: Change,
): Options {
  const options: Record<string, unknown> = {};
  const multiline = own.template_multiline ?? own.template_two_lines;
  for (const [name, value] of [
    ["template", own.template],
    ["template_multiline", multiline],
  ] as const) {
    if (value === undefined || value === "") continue;
    const slug = typeof value === "string" ? slugs.get(value) : undefined;
    if (slug === undefined) change(`${name} is left out: there is no asset ${shown(value)}`);
    else options[name] = slug;
  }
  const style = (source: Options, path: string) => translateStyle(source, path, slugs, change);
  const defaults = style(isObject(own.defaults) ? own.defaults : {}, "defaults");
  if (isType) {
    if (defaults.size === undefined) {
      defaults.size = PRINTED_SIZE;
      change(`defaults.size is now ${PRINTED_SIZE}, the size in which the plug-in prints`);
    }
    defaults.uppercase ??= false;
    defaults.char_space ??= 0;
    if (defaults.font === undefined) {
      defaults.font = SIMILAR_FONTS[DEFAULT_FONT];
      change(`defaults.font is now ${quoted(String(defaults.font))}, instead of ${DEFAULT_FONT}`);
    }
  }
  if (Object.keys(defaults).length > 0) options.defaults = defaults;
  const elements: Record<string, unknown> = {};
  for (const [key, source] of Object.entries(isObject(own.text_elements) ? own.text_elements : {})) {
    const path = `text_elements.${key}`;
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(key) || key === "__proto__")
      change(`${path} is left out: a name has letters, digits, _ and -`);
    else if (source === false) elements[key] = false;
    else if (!isObject(source))
      change(`${path} is left out: it is not an object, and the plug-in does not print it`);
    else if (isType && !DEFAULT_TEXTS.includes(key) && (source.text === undefined || source.y === undefined))
      change(`${path} is left out: it lacks text or y, and the plug-in does not print it`);
    else elements[key] = translateElement(source, path, style, change);
  }
  if (Object.keys(elements).length > 0) options.text_elements = elements;
  return options;
}

function translateElement(
  source: Options,
  path: string,
  style: (source: Options, path: string) => Options,
  change: Change,
): Options {
  const { text, y, ...rest } = source;
  const element: Record<string, unknown> = style(rest, path);
  if (typeof text === "string") {
    element.text = translateText(text);
    if (element.text !== text) change(`${path}.text is now ${shown(element.text)}, which prints the same`);
  }
  if (typeof y === "number") element.y = y;
  else if (y !== undefined) change(`${path}.y is left out: it is ${shown(y)}, which is not a number`);
  return element;
}

const VALID_STYLE: Readonly<Record<(typeof STYLE)[number], (value: unknown) => boolean>> = {
  font: (value) => typeof value === "string",
  color: (value) => typeof value === "string" && /^#?(?:[\da-f]{3}|[\da-f]{6})$/i.test(value),
  size: (value) => typeof value === "number" && value >= 1 && value <= 500,
  char_space: (value) => typeof value === "number" && value >= -20 && value <= 100,
  uppercase: (value) => typeof value === "boolean",
  line_height: (value) => typeof value === "number" && value >= 0.5 && value <= 5,
};

/**
 * Translates the style of an element. Leaves out options that the plug-in ignores, because they might have an effect in
 * this service.
 */
function translateStyle(
  source: Options,
  path: string,
  slugs: TranslationDeps["slugs"],
  change: Change,
): Record<string, unknown> {
  const style: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    const isValid = VALID_STYLE[name as (typeof STYLE)[number]];
    const at = `${path}.${name}`;
    if (!isValid) change(`${at} is left out: the plug-in ignores it`);
    else if (!isValid(value)) change(`${at} is left out: ${shown(value)} can't be printed`);
    else style[name] = name === "font" ? translateFont(String(value), at, slugs, change) : value;
  }
  return style;
}

function translateFont(font: string, at: string, slugs: TranslationDeps["slugs"], change: Change): string {
  const slug = slugs.get(font);
  if (slug !== undefined && !STANDARD_FONTS.test(font)) return slug;
  if (isFontFamily(font)) return font;
  const similar = SIMILAR_FONTS[font] ?? SIMILAR_FONTS[DEFAULT_FONT] ?? font;
  const why = STANDARD_FONTS.test(font)
    ? `${font} can't be embedded`
    : `there is no asset ${quoted(font)}, and the plug-in prints ${DEFAULT_FONT} instead`;
  change(`${at} is now ${quoted(similar)}: ${why}`);
  return similar;
}

/**
 * Translates a text so that it prints the same as in the plug-in. The plug-in replaces only its four placeholders in
 * single braces, and prints double braces as single braces.
 */
function translateText(text: string): string {
  const escaped = (literal: string) =>
    literal
      .replaceAll("{{", "{")
      .replaceAll("}}", "}")
      .replace(/[{}]/g, (brace) => brace + brace);
  let translated = "";
  let end = 0;
  for (const { 0: placeholder, 1: name = "", index } of text.matchAll(/(?<!\{)\{(\w+)\}/g)) {
    if (!KNOWN_PLACEHOLDERS.includes(name)) continue;
    translated += escaped(text.slice(end, index)) + placeholder;
    end = index + placeholder.length;
  }
  return translated + escaped(text.slice(end));
}
