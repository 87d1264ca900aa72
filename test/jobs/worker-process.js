import { createInterface } from "node:readline";
import pino from "pino";

const { startWorker } = await import(`${process.env.BUILT_SOURCES}/dist/src/infrastructure/jobs/worker.js`);

/**
 * A worker in a process of its own: `worker-process.js <database URL>`. It prints `begun` when it starts a job. When it
 * reads a line from standard input, it prints `ended` and ends the job.
 */
const [databaseUrl = ""] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin });

startWorker({
  databaseUrl,
  concurrency: 1,
  log: pino({ level: "silent" }),
  timings: { lease: 1_000, renewal: 300 },
  onDead: async () => {},
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
