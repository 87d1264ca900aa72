import { Refusal } from "./journal.js";

/** A response of an HTTP server. */
export interface Page {
  readonly status: number;
  readonly location: string | undefined;
  readonly etag: string | undefined;
  readonly body: string;
}

/** Requests a URL without following redirects. @throws Refusal for a status that reports a fault */
export async function get(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(url, { headers, redirect: "manual" });
  const body = await response.text();
  if (response.status >= 500) throw new Refusal(`http ${response.status}`, body.slice(0, 200));
  return {
    status: response.status,
    location: response.headers.get("location") ?? undefined,
    etag: response.headers.get("etag") ?? undefined,
    body,
  };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
