import type { IncomingMessage } from "node:http";

/** Looks up a header of the request by its name in lower case. */
export function headerOf({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
}
