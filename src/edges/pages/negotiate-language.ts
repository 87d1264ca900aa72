import type { IncomingMessage } from "node:http";
import { readAcceptLanguage } from "./accept-language.js";
import { languages, type PageLanguage } from "./languages.js";

/** In which language a visitor is answered. */
export interface NegotiatedLanguage {
  readonly language: PageLanguage;
  /** `?lang=xx` where the visitor has chosen it, for links to keep it; else empty. */
  readonly query: string;
}

/** The language that the visitor has chosen (`?lang=xx`), or that his browser asks for, or that of the service. */
export function negotiateLanguage(request: IncomingMessage, ofService: string): NegotiatedLanguage {
  const chosen = queryOf(request).get("lang");
  const language = languages.all.find(({ tag }) => tag === chosen);
  if (language) return { language, query: `?lang=${language.tag}` };
  const wishes = readAcceptLanguage(request.headers["accept-language"] ?? "");
  return { language: languages.choose([...wishes, ofService]), query: "" };
}

export function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const question = url.indexOf("?");
  return new URLSearchParams(question === -1 ? "" : url.slice(question));
}
