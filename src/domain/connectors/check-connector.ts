import type { CheckResult } from "./driver/driver.js";
import type { SweepDeps } from "./sweep/sweep.js";

/** Retries for requests while a user waits: at most two attempts per request. */
export const WHILE_USER_WAITS = { attempts: 2, gateway: 1_000, timeout: 20_000 };

/** Tests everything that a connector needs, for an operator. */
export async function* checkConnector({ source, settings, http }: SweepDeps): AsyncGenerator<CheckResult> {
  yield* source.check();
  const { requests, refusals } = http.cost();
  if (refusals === 0) return;
  const text =
    `The platform's rate limit rejected ${refusals} of ${requests} requests: lower requests_per_minute ` +
    `(${settings.requests_per_minute}), or have the limit raised.`;
  yield { what: "limits", outcome: "warning", text };
}
