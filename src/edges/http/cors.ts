import { cors as rpc } from "@connectrpc/connect";

/** CORS headers (Fetch standard, 3.2), as alternating names and values. */
export interface Cors {
  isListed(origin: string | undefined): boolean;
  /**
   * Returns the headers of a response. They allow listed origins to read the response to a request with cookies. All
   * other origins can read the response only if it is public.
   */
  answer(origin: string | undefined, isPublic: boolean): readonly string[];
  preflight(origin: string | undefined, isPublic: boolean, methods: readonly string[]): readonly string[];
}

export const noCors: Cors = { isListed: () => false, answer: () => [], preflight: () => [] };

const ALLOWED_HEADERS = [
  ...rpc.allowedHeaders,
  "Authorization",
  "Grpc-Timeout",
  "If-None-Match",
  "X-Request-Id",
  // Micro-frontends with @edx/frontend-platform send USE-JWT-COOKIE with every request, and X-CSRFToken with requests
  // that change something.
  "USE-JWT-COOKIE",
  "X-CSRFToken",
];
const EXPOSED_HEADERS = [...rpc.exposedHeaders, "ETag", "Retry-After", "X-Request-Id"];

/** How long browsers cache a preflight response, in seconds. Chromium supports no more. */
const MAX_AGE_S = 7200;

export function createCors(allowedOrigins: readonly string[]): Cors {
  const exposed = ["Access-Control-Expose-Headers", unique(EXPOSED_HEADERS)];
  const foreign = allowedOrigins.length > 0 ? ["Vary", "Origin"] : [];
  const anyOrigin = ["Access-Control-Allow-Origin", "*", ...exposed, ...foreign];
  const byOrigin = new Map(
    allowedOrigins.map((origin) => [
      origin,
      [
        "Access-Control-Allow-Origin",
        origin,
        "Access-Control-Allow-Credentials",
        "true",
        ...exposed,
        ...foreign,
      ],
    ]),
  );

  function answer(origin: string | undefined, isPublic: boolean): readonly string[] {
    return (origin !== undefined && byOrigin.get(origin)) || (isPublic ? anyOrigin : foreign);
  }
  return {
    isListed: (origin) => origin !== undefined && byOrigin.has(origin),
    answer,
    preflight(origin, isPublic, methods) {
      const headers = answer(origin, isPublic);
      if (headers === foreign) return headers;
      return [
        ...headers,
        "Access-Control-Allow-Methods",
        methods.join(", "),
        "Access-Control-Allow-Headers",
        unique(ALLOWED_HEADERS),
        "Access-Control-Max-Age",
        String(MAX_AGE_S),
      ];
    },
  };
}

function unique(names: readonly string[]): string {
  return [...new Set(names.map((name) => name.toLowerCase()))].join(", ");
}
