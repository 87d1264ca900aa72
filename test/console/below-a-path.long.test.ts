import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { findChromium } from "../edges/pages/chromium.js";
import { freePort } from "../support/free-port.js";
import { givenConsole } from "./given-console.js";
import { linkTo, openVisitor, seePage } from "./visitor.js";

const executable = findChromium();

/** Serves a service below `/cred/`, like nginx with `location /cred/ { proxy_pass http://service/; }`. */
async function startProxy(port: number, target: () => number) {
  const proxy = createServer((incoming, outgoing) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith("/cred/")) return void outgoing.writeHead(404).end("This is another site.");
    const passed = forward({ port: target(), path: url.slice("/cred".length), method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  return proxy;
}

const port = await freePort();
const PUBLIC_URL = `http://127.0.0.1:${port}/cred`;

describe.skipIf(executable === undefined)("below a path", () => {
  const academy = givenConsole(
    executable,
    { worker: true, settings: { PUBLIC_URL } },
    async ({ enrol, issue }) => {
      await enrol("ana");
      await issue("ana");
    },
  );

  test("the console signs in, loads, follows links, reloads deep pages, shows documents and signs out", async () => {
    const { service } = academy;
    const { port: inner } = new URL(service.httpUrl);
    const proxy = await startProxy(port, () => Number(inner));
    try {
      expect((proxy.address() as AddressInfo).port).toBe(port);
      const visitor = await openVisitor(academy.browser, { ...service, httpUrl: PUBLIC_URL });
      const { page } = visitor;
      await page.goto(await linkTo(service, { roles: ["registrar"] }));
      await seePage(page);
      await page.getByRole("link", { name: "Learners" }).click();
      await page.waitForURL(`${PUBLIC_URL}/console/learners`);
      await page.getByRole("heading", { name: "Learners", level: 1 }).waitFor();
      await page.getByRole("table").getByRole("link", { name: "Learner ana" }).click();
      await page.waitForURL(`${PUBLIC_URL}/console/learners/ana`);
      await page.reload();
      await page.getByRole("heading", { name: "Learner ana", level: 1 }).waitFor();
      await page.getByRole("table").getByRole("link").first().click();
      await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download PDF" }).first().click();
      expect((await download).url()).toContain(`${PUBLIC_URL}/`);
      visitor.expectQuiet(); // there is no session, so the first call of the next page is refused
      await page.getByRole("button", { name: "Preferences" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${PUBLIC_URL}/console/`);
      await page.getByRole("heading", { name: "Registrar’s console" }).waitFor();
      await visitor.leave();
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  test.each([
    "/verify",
    "/verify/00000000-0000-4000-8000-000000000000",
    "/console",
    "/my-credentials",
    "/api/learning_credentials/v1/docs",
    "/api/learning_credentials/v1/metadata/00000000-0000-4000-8000-000000000000",
    "/",
  ])("%s redirects to an address below it", async (path) => {
    const answer = await fetch(`${academy.service.httpUrl}${path}`, { redirect: "manual" });
    expect(new URL(answer.headers.get("location") ?? "", `${PUBLIC_URL}${path}`).href).toContain(
      `${PUBLIC_URL}/`,
    );
  });
});
