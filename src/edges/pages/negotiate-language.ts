import type { IncomingMessage } from "node:http";
import { readAcceptLanguage } from "./accept-language.js";
import { type PageLanguage, pageLanguages } from "./languages.js";

export interface NegotiatedLanguage {
  readonly language: PageLanguage;
  /** `?lang=xx` if the visitor chose the language, so that links preserve it; otherwise empty. */
  readonly query: string;
}

/** Returns the language that the visitor chose (`?lang=xx`); otherwise the browser's; otherwise the service's. */
export function negotiateLanguage(request: IncomingMessage, ofService: string): NegotiatedLanguage {
  const chosen = queryOf(request).get("lang");
  const language = pageLanguages.all.find(({ tag }) => tag === chosen);
  if (language) return { language, query: `?lang=${language.tag}` };
  const wishes = readAcceptLanguage(request.headers["accept-language"] ?? "");
  return { language: pageLanguages.choose([...wishes, ofService]), query: "" };
}

export function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const question = url.indexOf("?");
  return new URLSearchParams(question === -1 ? "" : url.slice(question));
}
