import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

/** Answers that are no pages need nothing, and belong into no frame. */
const API_POLICY = {
  "default-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/**
 * What helmet says of an answer that is no page, collected once. It leaves out what only pages or browsers of long ago heed.
 * @param isHttps whether the service is reached by HTTPS: only then may it have browsers insist on that (RFC 6797, 7.2)
 * @returns names and values in turn
 */
export function securityHeaders(isHttps: boolean): readonly string[] {
  const headers: string[] = [];
  const collector = {
    setHeader: (name: string, value: string) => void headers.push(name, value),
    removeHeader: () => {},
  };
  const speak = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: API_POLICY },
    strictTransportSecurity: isHttps,
    xFrameOptions: { action: "deny" },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  speak({} as IncomingMessage, collector as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}
