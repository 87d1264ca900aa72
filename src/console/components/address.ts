type Check = (text: string) => boolean;

type Guard<T extends string> = (text: string) => text is T;
type Checked<C> = C extends Guard<infer T> ? T : string;

/** What an address says: of each name a text, or nothing. */
export type Search<Checks extends Record<string, Check>> = {
  readonly [N in keyof Checks]?: Checked<Checks[N]>;
};

/**
 * Returns what reads an address: of each name the text that passes its check. What it can't mean is left out, so that
 * an old link still shows something. Other names become undefined, or the router would keep them.
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

/** Whether a text is the number of a type or configuration. */
export const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text);

/** Whether an address narrows a list, and does not only turn its pages. */
export function isNarrowed(search: object): boolean {
  return Object.entries(search).some(([name, value]) => name !== "page" && value !== undefined);
}
