import { createInterface } from "node:readline";
import pino from "pino";
import { startWorker } from "../../src/jobs/worker.js";

/**
 * A worker in a process of its own: `worker-process.ts <database URL>`. It prints `begun` for each job, which it ends
 * when it reads a line, and then `ended`.
 */
const [databaseUrl = ""] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin });

startWorker({
  databaseUrl,
  concurrency: 1,
  log: pino({ level: "silent" }),
  timings: { heartbeat: 100, silence: 1000, rescue: 300 },
  onLost: async () => {},
  tasks: {
    async generate_credential() {
      console.log("begun");
      await new Promise((resolve) => lines.once("line", resolve));
      console.log("ended");
    },
    async move_file() {},
    async send_mail() {},
    async remove_erased() {},
  },
});
