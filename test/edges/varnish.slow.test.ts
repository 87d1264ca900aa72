import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { SECRET_PATHS } from "../main/secret-paths.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { freePort } from "../support/free-port.js";

/**
 * Longer than PUBLIC_CACHE_SECONDS allows. A response that is fetched this long after a change must show the change.
 */
const OUTDATED_MS = 3_000;

const whyNot =
  process.getuid?.() !== 0
    ? "only root may run varnishd"
    : spawnSync("varnishd", ["-V"]).status !== 0
      ? "there is no varnishd: apt-get install varnish"
      : undefined;
if (whyNot) console.warn(`skipped: a cache in front; ${whyNot}`);

/**
 * Starts Varnish in front of a service, with the configuration file that operators receive.
 * @returns its URL and its working directory
 */
async function startVarnish(serviceUrl: string): Promise<{ url: string; directory: string }> {
  const port = await freePort();
  const file = new URL("../../.container/varnish.vcl", import.meta.url);
  const directory = await mkdtemp(join(tmpdir(), "varnish-"));
  const vcl = join(directory, "varnish.vcl");
  await writeFile(vcl, (await readFile(file, "utf8")).replace("8080", new URL(serviceUrl).port));
  const varnish = spawn("varnishd", [
    ...["-F", "-j", "none", "-n", join(directory, "work"), "-f", vcl],
    ...["-a", `127.0.0.1:${port}`, "-s", "malloc,16m"],
  ]);
  const ended = once(varnish, "exit");
  onTestFinished(async () => {
    varnish.kill();
    await ended;
    await rm(directory, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () => fetch(`${url}/livez`).then(({ status }) => status, String);
  await expect.poll(answers).toBe(200);
  return { url, directory };
}

/** Returns the query that keeps secrets out of Varnish's log. Reads it from the configuration file. */
async function readLogQuery(): Promise<string> {
  const file = await readFile(new URL("../../.container/varnish.vcl", import.meta.url), "utf8");
  return /^# varnishncsa -q '(.*)'$/m.exec(file)?.[1] ?? "";
}

describe.skipIf(whyNot)("behind Varnish, the metadata route", () => {
  let academy: Academy;
  let front: string;
  let directory: string;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= academy.service.stop();
    return stopping;
  };

  /** @returns the UUID of an available credential */
  async function begin(seconds: string): Promise<string> {
    academy = await openAcademy({ settings: { PUBLIC_CACHE_SECONDS: seconds } });
    stopping = undefined;
    onTestFinished(stop);
    ({ url: front, directory } = await startVarnish(academy.service.httpUrl));
    await academy.enrol("ana");
    const { credentials, configurationId } = academy;
    const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
    await academy.generate(uuid);
    return uuid;
  }
  async function request(uuid: string) {
    const { verifyUuid } = await academy.credentials.getCredential({ uuid });
    return async () => {
      const answer = await fetch(`${front}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
      const isHit = (answer.headers.get("x-varnish") ?? "").includes(" ");
      expect(answer.headers.get("cache-control")).toBe(answer.status === 200 ? "no-cache" : "no-store");
      return { status: answer.status, isHit, text: await answer.text() };
    };
  }

  test("is served from the cache, and shows a withdrawal after two seconds", async () => {
    const uuid = await begin("2");
    const metadata = await request(uuid);
    await expect.poll(metadata).toMatchObject({ status: 200, isHit: true });
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    await sleep(OUTDATED_MS);
    expect((await metadata()).text).toContain('"invalidated"');
  });

  test("shows a withdrawal immediately if caching is off", async () => {
    const uuid = await begin("0");
    const metadata = await request(uuid);
    for (const _ of "four") expect(await metadata()).toMatchObject({ status: 200, isHit: false });
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect((await metadata()).text).toContain('"invalidated"');
  });

  test("writes no secret address to the log, with Varnish configured as in the file", async () => {
    await begin("0");
    const log = spawn("varnishncsa", ["-n", join(directory, "work"), "-q", await readLogQuery()]);
    onTestFinished(() => void log.kill());
    let text = "";
    log.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    const reported = async (path: string) => {
      await fetch(`${front}${path}`);
      return text;
    };
    await expect.poll(() => reported("/verify/first")).toContain("/verify/first");
    for (const path of SECRET_PATHS) await fetch(`${front}${path}`);
    await expect.poll(() => reported("/verify/last")).toContain("/verify/last");
    expect(text).not.toContain("a-secret");
  });

  test("is 503 once the service is gone, and never an outdated response", async () => {
    const uuid = await begin("2");
    const { verifyUuid } = await academy.credentials.getCredential({ uuid });
    const target = `${front}/api/learning_credentials/v1/metadata/${verifyUuid}/`;
    expect((await fetch(target)).status).toBe(200);
    await stop();
    await sleep(OUTDATED_MS);
    expect((await fetch(target)).status).toBe(503);
  });
});
