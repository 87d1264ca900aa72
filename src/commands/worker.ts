import type { Command } from "commander";
import { Problem } from "../errors.js";
import { readConfig } from "../settings/config.js";
import { untilStopped } from "./until-stopped.js";

export function addCommand(program: Command): void {
  program
    .command("worker")
    .description("run jobs, beside any number of `serve` and `worker` processes on the same database")
    .action(async () => {
      const config = readConfig(process.env);
      if (config.publicUrl === undefined) {
        throw new Problem(
          "failed-precondition",
          "PUBLIC_URL is not set, and it is printed on credentials: set it to where the service is reached, " +
            "such as http://127.0.0.1:8080.",
        );
      }
      await untilStopped(config, "attach", async (app) => {
        const [{ work }, { serveOps }] = await Promise.all([import("../work.js"), import("../serve-ops.js")]);
        const worker = work(app);
        await serveOps(app);
        process.stdout.write("The worker is running jobs. Ctrl-C stops it.\n");
        return worker;
      });
    });
}
