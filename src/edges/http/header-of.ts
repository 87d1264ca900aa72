import type { IncomingMessage } from "node:http";

/** Returns a function that looks up a request header by its lower-case name. */
export function headerOf({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
}
