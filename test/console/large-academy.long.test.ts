import pg from "pg";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CredentialSearchStatus } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { eligibleSql } from "../bench/baselines/eligible-sql.js";
import { COURSE_KEY, username } from "../bench/big-course.js";
import { fillCourses, LAST_COURSE_KEY } from "../bench/fill-courses.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { linkTo, openVisitor, type Visitor } from "./visitor.js";

/** The default is enough for 500 pages. Creating a million, the full size, takes two minutes. */
const CREDENTIALS = Number(process.env.ACADEMY_CREDENTIALS ?? 30_000);
const COURSES = 10;
const LEARNERS = CREDENTIALS / COURSES;
const LAST = LEARNERS - 1;
const FAILED = 100;
const NAMELESS = 12;
const ROWS = 50;
const MAX_NODES = 2000;

const executable = findChromium();

interface Call {
  readonly method: string;
  readonly bytes: number;
}

describe.skipIf(executable === undefined)(`among ${CREDENTIALS} credentials`, () => {
  let service: TestService;
  let browser: Browser;
  let sql: pg.Client;
  let visitor: Visitor;

  beforeAll(async () => {
    console.log(`ACADEMY_CREDENTIALS=${CREDENTIALS}; 1000000 is the full size.`);
    buildConsole();
    service = await startTestService({ settings: await ownAddress() });
    sql = new pg.Client(service.app.config.databaseUrl);
    await sql.connect();
    await fillCourses(sql, CREDENTIALS);
    const nameless = Array.from({ length: NAMELESS }, (_, index) => username(index));
    await sql.query("update learners set full_name = '' where username = any ($1)", [nameless]);
    browser = await launchChromium(executable as string);
  }, 1_200_000);
  afterEach(async () => {
    visitor?.expectQuiet();
    await visitor?.leave();
  });
  afterAll(async () => {
    await browser?.close();
    await sql?.end();
    await service?.stop();
  });

  async function visit(): Promise<Page> {
    visitor = await openVisitor(browser, service);
    const { page } = visitor;
    page.setDefaultTimeout(110_000);
    await page.goto(await linkTo(service));
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    return page;
  }

  async function sizeOf(request: Request): Promise<number> {
    const response = await request.response();
    return (await response?.body())?.length ?? 0;
  }

  /** Returns the calls that `act` causes until its result is shown. */
  async function callsOf(page: Page, act: () => Promise<void>): Promise<Call[]> {
    await page.waitForLoadState("networkidle"); // waits for the calls of the page itself
    const sizes: Promise<Call>[] = [];
    const note = (request: Request) => {
      const [, method] = /\/console\/rpc\/[\w.]+\/(\w+)/.exec(request.url()) ?? [];
      if (method !== undefined) sizes.push(sizeOf(request).then((bytes) => ({ method, bytes })));
    };
    page.on("request", note);
    await act();
    page.off("request", note);
    return Promise.all(sizes);
  }
  const rowLinks = (page: Page) => page.locator("tbody .row-link");
  const nodes = (page: Page): Promise<number> => page.evaluate("document.querySelectorAll('*').length");
  const addressOf = (search: string) => `${service.httpUrl}/console/credentials?${search}`;

  test("a learner is found by a number in the name, and their page shows all their data", async () => {
    const page = await visit();
    const calls = await callsOf(page, async () => {
      await page.keyboard.press("/");
      await page.keyboard.type(`number ${LAST}`);
      await page
        .getByRole("option")
        .filter({ hasText: `Learner Number ${LAST}` })
        .first()
        .click();
      await page.getByRole("heading", { name: `Learner Number ${LAST}`, level: 1 }).waitFor();
      await rowLinks(page).first().waitFor();
    });
    expect(new URL(page.url()).pathname).toBe(`/console/learners/${username(LAST)}`);
    expect(await visitor.clicks()).toBe(1);
    expect(await rowLinks(page).count()).toBe(COURSES);
    expect(calls.filter(({ method }) => method === "GetLearner")).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(8);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
  });

  test("a search and a filter list the matches with two calls each", async () => {
    const page = await visit();
    await page.goto(addressOf(""));
    await rowLinks(page)
      .nth(ROWS - 1)
      .waitFor();
    const searched = await callsOf(page, async () => {
      await page.getByRole("searchbox").fill(`number ${LAST}`);
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await expect.poll(() => rowLinks(page).count()).toBe(COURSES);
    });
    expect(searched.map(({ method }) => method).sort()).toEqual(["CountCredentials", "SearchCredentials"]);
    expect(await visitor.clicks()).toBe(1);

    await page.goto(addressOf("status=error"));
    await rowLinks(page)
      .nth(ROWS - 1)
      .waitFor();
    const turned = await callsOf(page, async () => {
      const before = await rowLinks(page).first().getAttribute("href");
      await page.getByRole("button", { name: "Next page" }).click();
      await expect.poll(() => rowLinks(page).first().getAttribute("href")).not.toBe(before);
    });
    expect(turned.map(({ method }) => method)).toEqual(["SearchCredentials"]);
    expect(await rowLinks(page).count()).toBe(FAILED - ROWS);
    expect(await page.getByRole("button", { name: "Next page" }).count()).toBe(0);
  });

  test("frequent values are counted up to a limit, and rare ones exactly", async () => {
    const client = service.client(CredentialService, await tokenOf({ username: "rita", isStaff: true }));
    for (const query of ["learner", "learner number", ""]) {
      const { counts } = await client.countCredentials({ query });
      expect(counts).toMatchObject([
        { status: CredentialSearchStatus.GENERATING, count: 0, isAtLeast: false },
        { status: CredentialSearchStatus.VALID, count: 10_000, isAtLeast: true },
        { status: CredentialSearchStatus.EXPIRED, count: 0, isAtLeast: false },
        { status: CredentialSearchStatus.ERROR, count: FAILED, isAtLeast: false },
        { status: CredentialSearchStatus.INVALIDATED, count: 0, isAtLeast: false },
      ]);
    }
    const filter = { learningContextKey: LAST_COURSE_KEY, statuses: [CredentialSearchStatus.VALID] };
    const { rows } = await sql.query<{ count: number }>(
      `select count(*)::int as count from credentials where learning_context_key = $1 and status = 'available'`,
      [LAST_COURSE_KEY],
    );
    const { count } = rows[0] as { count: number };
    const { counts } = await client.countCredentials({ query: "learner", filter });
    expect(counts).toMatchObject([{ count: Math.min(count, 10_000), isAtLeast: count > 10_000 }]);
  });

  test("page 500 is as large as the others, and takes one call like them", async () => {
    const client = service.client(CredentialService, await tokenOf({ username: "rita", isStaff: true }));
    const seen = new Set<string>();
    let pageToken = "";
    const skip = async (pageSize: number) => {
      const page = await client.searchCredentials({ pageSize, pageToken });
      for (const { uuid } of page.credentials) seen.add(uuid);
      pageToken = page.nextPageToken;
    };

    const page = await visit();
    await page.goto(addressOf(""));
    await rowLinks(page)
      .nth(ROWS - 1)
      .waitFor();
    const next = () =>
      callsOf(page, async () => {
        const before = await rowLinks(page).first().getAttribute("href");
        await page.getByRole("button", { name: "Next page" }).click();
        await expect.poll(() => rowLinks(page).first().getAttribute("href")).not.toBe(before);
      });
    const second = await next();
    for (let number = 3; number <= 10; number++) await next();

    for (let number = 1; number <= 24; number++) await skip(20 * ROWS);
    await skip(18 * ROWS);
    await page.goto(addressOf(`page=${encodeURIComponent(pageToken)}`)); // page 499
    await rowLinks(page)
      .nth(ROWS - 1)
      .waitFor();
    const last = await next();
    expect(await rowLinks(page).count()).toBe(ROWS);
    for (const link of await rowLinks(page).all())
      expect(seen).not.toContain((await link.getAttribute("href"))?.split("/").at(-1));
    for (const calls of [second, last]) {
      expect(calls.map(({ method }) => method)).toEqual(["SearchCredentials"]);
    }
    expect(last[0]?.bytes).toBeLessThan((second[0]?.bytes ?? 0) * 1.1);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
  });

  test("all matches are withdrawn by their plan, whatever the page shows", async () => {
    const word = String(LAST).slice(0, -2);
    const { rows } = await sql.query<{ count: number }>(
      `select count(*)::int as count from credentials join learners using (username)
       where status = 'available' and lower(full_name || ' ' || username) ~ $1`,
      [`(^|[^a-z0-9])${word}`],
    );
    const { count } = rows[0] as { count: number };
    expect(count).toBeGreaterThan(1000);

    const page = await visit();
    await page.goto(addressOf(`status=valid&q=${encodeURIComponent(`learner ${word}`)}`));
    await rowLinks(page)
      .nth(ROWS - 1)
      .waitFor();
    await page.getByLabel("Select this page").click();
    const all = page.getByRole("button", { name: /^Select all [\d,]+ matching$/ });
    expect(Number((await all.innerText()).replaceAll(/\D/g, ""))).toBe(count);
    await all.click();
    const planned = await callsOf(page, async () => {
      await page.getByRole("button", { name: "Withdraw…" }).click();
      await page.getByText(`${count.toLocaleString("en")} credentials will be withdrawn.`).waitFor();
    });
    expect(planned.filter(({ method }) => method === "SearchCredentials").length).toBe(
      Math.ceil(count / 1000),
    );
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel(`Type ${count} to confirm`).fill(String(count));
    await dialog.getByLabel("Reason").fill("Issued for the wrong term.");
    await dialog.getByRole("button", { name: /^Withdraw [\d,]+ credentials$/ }).click();
    await page.getByText(`${count.toLocaleString("en")} credentials were withdrawn.`).waitFor();
    expect(await visitor.clicks()).toBe(4);
    const withdrawn = await sql.query(
      "select count(*)::int as count from credentials where status = 'invalidated'",
    );
    expect(withdrawn.rows).toEqual([{ count }]);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
  });

  test("a run is planned for all, lists who is skipped and why, and starts exactly that", async () => {
    const { rows } = await sql.query<{ count: number; configuration: number }>(
      `select count(*)::int as count, (select max(id) from credential_configurations) as configuration
       from (${eligibleSql({ exam: 0, total: 50 })}) as eligible where full_name <> ''`,
      [COURSE_KEY],
    );
    const { count, configuration } = rows[0] as { count: number; configuration: number };
    const page = await visit();
    const calls = await callsOf(page, async () => {
      await page.getByRole("link", { name: "Runs" }).click();
      await page.getByRole("link", { name: "Start a run" }).click();
      const { rows: named } = await sql.query<{ key: string; type: string }>(
        `select learning_context_key as key, name as type from credential_configurations configuration
         join credential_types type on type.id = credential_type_id where configuration.id = $1`,
        [configuration],
      );
      const { key = "", type = "" } = named[0] ?? {};
      await page.getByRole("combobox", { name: "Credential" }).fill(`${type} ${key.replace(/^.*?:/, "")}`);
      await page.keyboard.press("Enter");
      await page.getByText(`${count.toLocaleString("en")} credentials will be issued`).waitFor();
    });
    expect(await page.getByRole("row", { name: /The record has no full name/ }).count()).toBe(NAMELESS);
    expect(calls.filter(({ method }) => method === "StartIssuanceRun")).toHaveLength(1);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);

    await page.getByRole("button", { name: `Issue ${count.toLocaleString("en")} credentials` }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    expect(await visitor.clicks()).toBeLessThanOrEqual(4);
    await page.reload();
    await page
      .getByText(`0 of ${count.toLocaleString("en")} done`)
      .first()
      .waitFor();
    const started = await sql.query(
      "select count(*)::int as count from credentials where run_id = $1 and status = 'generating'",
      [page.url().split("/").at(-1)],
    );
    expect(started.rows).toEqual([{ count }]);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
  });

  test("credentials that expire before a day are found among all the others", async () => {
    const found = await sql.query<{ uuid: string }>(
      `update credentials set valid_until = '2099-07-01T00:00:00Z'
       where id in (select id from credentials where status = 'available' order by id limit 3) returning uuid`,
    );
    const page = await visit();
    const calls = await callsOf(page, async () => {
      await page.goto(addressOf("expires=2099-07-01"));
      await expect.poll(() => rowLinks(page).count()).toBe(found.rows.length);
    });
    const requested = ["CountCredentials", "SearchCredentials"];
    expect(calls.map(({ method }) => method).filter((name) => requested.includes(name))).toHaveLength(2);
    for (const { uuid } of found.rows) await page.locator(`.row-link[href$="${uuid}"]`).waitFor();
  });
});
