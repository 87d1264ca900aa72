import type { Addresses } from "#runtime/processes/messages.js";
import type { App } from "../app.js";
import { SHARED_WORK, startBackground } from "../background.js";
import { type Listening, listen } from "../listen.js";
import { serve } from "../serve.js";
import { serveOps } from "../serve-ops.js";
import { openSigning } from "./open-signing.js";
import type { Run } from "./until-stopped.js";

export interface RunningService extends Run {
  readonly addresses: Addresses;
  readonly adminPort: number | undefined;
}

/**
 * Serves requests in this process, and runs jobs if requested.
 * @param listening undefined to open the port now
 */
export async function startServing(
  app: App,
  {
    worker: runsJobs,
    processes = 1,
    listening,
  }: { worker: boolean; processes?: number | undefined; listening: Listening | undefined },
): Promise<RunningService> {
  if (runsJobs) await openSigning(app);
  startBackground(app, SHARED_WORK);
  const { httpPort, grpcPort, retire } = await serve(
    app,
    listening ?? (await listen(app.config, app.log)),
    processes,
  );
  const adminPort = await serveOps(app);
  if (runsJobs) (await import("../work.js")).work(app);
  return {
    addresses: { httpPort, grpcPort, publicUrl: app.publicUrl },
    adminPort,
    retire,
  };
}
