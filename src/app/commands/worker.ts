import type { Command } from "commander";
import { lowerProcess } from "#foundation/concurrency/lower-priority.js";
import { failedPrecondition } from "#foundation/errors.js";
import { isChild, notifyParent } from "#runtime/processes/child.js";
import { readServiceConfig } from "#runtime/settings/config.js";
import { openSigning } from "./open-signing.js";
import { untilStopped } from "./until-stopped.js";

export function addCommand(program: Command): void {
  program
    .command("worker")
    .description("run jobs; any number of `serve` and `worker` processes can share a database")
    .action(async () => {
      lowerProcess();
      const config = readServiceConfig(process.env);
      if (config.publicUrl === undefined) {
        throw failedPrecondition(
          "PUBLIC_URL is not set. It is printed on credentials: set it to the public address of the service, such as http://127.0.0.1:8080.",
        );
      }
      await untilStopped(config, "attach", async (app) => {
        await openSigning(app);
        const [{ work }, { serveOps }, { startBackground, SHARED_WORK }] = await Promise.all([
          import("../work.js"),
          import("../serve-ops.js"),
          import("../background.js"),
        ]);
        startBackground(app, SHARED_WORK);
        work(app);
        await serveOps(app);
        if (!isChild()) process.stdout.write("The worker is running jobs. Press Ctrl-C to stop.\n");
        notifyParent({ type: "ready", addresses: undefined });
        return {};
      });
    });
}
