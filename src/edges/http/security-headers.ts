import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

const API_POLICY = {
  "default-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/**
 * Returns helmet's headers for responses that aren't pages. Omits headers that only very old browsers use.
 * @param isHttps whether clients use HTTPS; otherwise the service must not require HTTPS (RFC 6797, 7.2)
 * @returns alternating names and values
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
