import { createInterface } from "node:readline";
import pino from "pino";

const jobs = `${process.env.BUILT_SOURCES}/dist/src/infrastructure/jobs`;
const { startWorker } = await import(`${jobs}/worker.js`);
const { retryPolicies } = await import(`${jobs}/tasks.js`);

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
    ...Object.fromEntries(Object.keys(retryPolicies).map((task) => [task, async () => {}])),
    async generate_credential() {
      console.log("begun");
      await new Promise((resolve) => lines.once("line", resolve));
      console.log("ended");
    },
  },
});
