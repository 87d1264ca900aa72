import { parseDay } from "#foundation/calendar/day.js";

type Check = (text: string) => boolean;

type Guard<T extends string> = (text: string) => text is T;
type Checked<C> = C extends Guard<infer T> ? T : string;

/** The valid parameters of a URL, by name. */
export type Search<Checks extends Record<string, Check>> = {
  readonly [N in keyof Checks]?: Checked<Checks[N]>;
};

/**
 * Returns a function that reads the parameters of a URL. Omits invalid values, so that an old link still shows
 * something. Sets unknown parameters to undefined, because the router would otherwise keep them.
 */
export function addressOf<const Checks extends Record<string, Check>>(checks: Checks) {
  return (query: Record<string, unknown>): Search<Checks> => {
    const read: Record<string, string | undefined> = {};
    for (const name of Object.keys(query)) {
      const value = query[name];
      const text = typeof value === "string" ? value.trim() : "";
      read[name] = text !== "" && checks[name]?.(text) ? text : undefined;
    }
    return read as Search<Checks>;
  };
}

export const isText = (text: string) => text.length <= 500;

/** Returns whether a text is the id of a type or configuration. */
export const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text);

/** Returns whether a text is a day, for example `2026-11-22`. */
export const isDay = (text: string) => parseDay(text) !== undefined;

export const isYes = (text: string): text is "yes" => text === "yes";

/** Returns whether a URL filters a list. Ignores the parameter for the page. */
export function isNarrowed(search: object): boolean {
  return Object.entries(search).some(([name, value]) => name !== "page" && value !== undefined);
}
