import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { expect, test, vi } from "vitest";
import { ended, startOn } from "../commands/run-command.js";
import { missingTools } from "../rendering/pdf-tools.js";
import { freePort } from "../support/free-port.js";
import { openBench } from "./bench.js";
import { passingMessage, user } from "./edx-messages.js";
import { startFakeOpenEdx } from "./fake-open-edx.js";
import { known } from "./known.js";
import { createPlatformData, projected } from "./platform-data.js";

const COURSE = "course-v1:Uni+C1+2026";
const missing = await missingTools("redis-server");

test.skipIf(missing.length > 0)(
  "a grade is here seconds after its event, by the command that a worker starts, without a sweep",
  async () => {
    const academy = createPlatformData({ courses: 2, learners: 20 });
    const lms = await startFakeOpenEdx(academy);
    const bench = await openBench(lms.url, { completion: "aggregator" });
    await bench.sweep();
    const [id, member] =
      [...(academy.courses.get(COURSE)?.members ?? [])].find(([, one]) => one.isActive) ?? [];
    if (id === undefined || !member) throw new Error("nobody is active");

    const port = await freePort();
    const redis = spawn("redis-server", ["--port", `${port}`, "--save", "", "--bind", "127.0.0.1"], {
      stdio: "ignore",
    });
    const url = `redis://127.0.0.1:${port}`;
    const client = await vi.waitFor(() => createClient({ url }).connect(), { timeout: 10_000 });
    const file = join(bench.place.DATA_DIR, "redis-url");
    await writeFile(file, url);
    await bench.openWith({ events: { redis_url_file: file, prefix: "prod", topics: ["grades"] } });
    const connectors = join(bench.place.DATA_DIR, "connectors-more.json");
    const child = startOn({ ...bench.place, CONNECTORS_FILE: connectors }, ["connector", "follow"]);
    const all = ended(child);

    for (const key of member.scores.keys()) member.scores.set(key, 1);
    const sentAt = Date.now();
    await client.xAdd("prod-grades", "*", {
      type: "org.openedx.learning.course.passing.status.updated.v1",
      event_data: passingMessage(user(id, academy.users.get(id)?.username ?? "", "", ""), COURSE),
    });
    const model = projected(academy, { completion: true });
    await expect.poll(() => known(bench.database.knex), { timeout: 60_000, interval: 500 }).toEqual(model);
    process.stderr.write(`${Math.round((Date.now() - sentAt) / 1000)} s from an event to the grade\n`);
    expect(await bench.database.knex("connector_sweeps")).toHaveLength(1);

    child.kill();
    await all;
    client.destroy();
    redis.kill();
    await once(redis, "exit");
    await bench.close();
    await lms.close();
  },
);
