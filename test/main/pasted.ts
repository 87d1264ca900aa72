/** A command that the service prints for its user to paste into a shell. */
export interface PastedCommand {
  readonly text: string;
  /** The command's words, as the shell splits and expands them. */
  readonly words: readonly string[];
}

/** Reads the variables, and the `curl` and `npx` commands, of a banner. Their lines are indented by two spaces. */
export function readPasted(banner: string): {
  variables: Record<string, string>;
  commands: PastedCommand[];
} {
  const joined = banner.replaceAll(/\\\n\s+/g, "");
  const variables = Object.fromEntries(
    [...joined.matchAll(/^ {2}([A-Z]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  );
  const texts = [...joined.matchAll(/^ {2}((?:curl|npx) .+)$/gm)].map(([, text]) => text ?? "");
  return { variables, commands: texts.map((text) => ({ text, words: shellWords(text, variables) })) };
}

/** Supports only the quoting that the banner uses: '…', "…" and $NAME. */
function shellWords(text: string, variables: Record<string, string>): string[] {
  const expand = (word: string) => word.replaceAll(/\$([A-Z]+)/g, (_, name) => variables[name] ?? "");
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? expand(double ?? bare ?? ""),
  );
}

/** Performs a `curl` command with these words: -H, -d and a URL. */
export function performCurl(words: readonly string[]): Promise<Response> {
  const headers = new Headers();
  let url = "";
  let body: string | null = null;
  const rest = words.slice(1);
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-d") body = rest.shift() ?? "";
    else if (word === "-H") {
      const header = rest.shift() ?? "";
      const colon = header.indexOf(":");
      headers.set(header.slice(0, colon), header.slice(colon + 1).trim());
    } else if (word.startsWith("-")) throw new Error(`curl ${word} is not known here`);
    else url = word;
  }
  return fetch(url, { method: body === null ? "GET" : "POST", headers, body });
}
