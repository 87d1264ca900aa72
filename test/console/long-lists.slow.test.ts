import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { appendEvents } from "#domain/credentials/events/append-events.js";
import { inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import { assetParts } from "../assets/asset-parts.js";
import { findChromium } from "../edges/pages/chromium.js";
import { course } from "../support/records.js";
import { givenConsole } from "./given-console.js";
import { openPage, openVisitor, signIn } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("a choice from a long list", () => {
  const academy = givenConsole(executable, {}, async ({ configurations, service, issued, report }) => {
    const { knex } = service.app.database;
    await issued("ana");
    const picture = createCanvas(8, 8).toBuffer("image/png");
    await configurations.uploadAsset(assetParts("first", picture));
    await knex.raw(
      `insert into assets (slug, sha256, uploaded_at, uploaded_by)
       select 'file-' || number, sha256, now(), 'registrar' from assets, generate_series(1, 2001) number`,
    );
    await knex.raw(
      `insert into credential_configurations (credential_type_id, learning_context_key, custom_options)
       select id, 'course-v1:Uni+C' || number || '+2027', '{}'
       from credential_types, generate_series(1, 2001) number order by number`,
    );
    await knex.raw(
      `insert into credential_schedules
         (configuration_id, is_enabled, interval_days, time_zone, counted_from, next_run_at, last_error)
       select id, true, 10, '', now(), now() + interval '1 hour', 'The last one failed.'
       from credential_configurations where learning_context_key = 'course-v1:Uni+C2001+2027'`,
    );
    await knex.raw(
      `insert into credential_types (name, retrieval_func, generation_func, custom_options)
       select 'Type ' || number, retrieval_func, generation_func, '{}'
       from credential_types, generate_series(1, 1001) number`,
    );
    await report(
      ...Array.from({ length: 100 }, (_, number) => course(`course-v1:Aaa+A${number}+2027`, `A ${number}`)),
    );
  });

  test("of files finds one beyond the first thousand", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    const { page, leaveQuietly } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/types/branding`);
    await page.locator('[data-field="brand.logo"]').click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("searchbox").fill("file-2001");
    await expect.poll(() => dialog.getByRole("listitem").allInnerTexts()).toEqual(["file-2001"]);
    await leaveQuietly();
  });

  test("of offers finds one beyond the first thousand, also where they are only read", async () => {
    const { page, leaveQuietly } = await openPage(academy, "/issue-from-list");
    const offer = page.getByRole("combobox", { name: "Credential", exact: true });
    await offer.fill("C2001 2027");
    await page.getByRole("option", { name: "C2001" }).click();
    await page.waitForURL(/configuration=\d+/);
    const { searchParams } = new URL(page.url());
    await page.goto(
      `${academy.service.httpUrl}/console/credentials?configuration=${searchParams.get("configuration")}`,
    );
    await page.getByText("C2001").waitFor();
    await leaveQuietly();
  });

  test("of credential types has all of them", async () => {
    const { page, leaveQuietly } = await openPage(academy, "/credentials");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.locator("select[name=type]").selectOption({ label: "Type 1001" });
    await leaveQuietly();
  });

  test("of organisations begins with the one that has most courses", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer", "registrar"] });
    const { page, leaveQuietly } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/contexts`);
    await page.getByRole("button", { name: "Create a course…" }).click();
    const field = page.getByRole("combobox", { name: "Organisation" });
    await expect.poll(() => field.inputValue()).toBe("Uni");
    await leaveQuietly();
  });

  test("of courses compares requirements with those of an offer beyond the first hundred", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    const { page, leaveQuietly } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/types/1#form`);
    await page.locator(".requirements summary").click();
    const section = page.getByRole("region", { name: "Test", exact: true });
    await section.getByRole("combobox", { name: "Course or path" }).fill("course-v1:Uni+C2001+2027");
    await page.getByRole("option", { name: "C2001" }).click();
    await section.getByRole("region", { name: "Effect of saving" }).waitFor();
    await leaveQuietly();
  });

  test("of everything finds a credential type beyond the first thousand", async () => {
    const { page, leaveQuietly } = await openPage(academy, "/credentials");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("Type 1001");
    await page.getByRole("option", { name: "Type 1001" }).waitFor();
    await leaveQuietly();
  });

  test("of events is linked from a credential with more than a hundred", async () => {
    const { database } = academy.service.app;
    const { knex } = database;
    const [credential] = await knex("credentials").select("uuid", "configuration_id");
    const { uuid, configuration_id: configurationId } = credential;
    const events = Array.from({ length: 101 }, () => ({ uuid, configurationId }));
    const revoked = { type: "links_revoked", before: "available", after: "available" } as const;
    const actor = { kind: "user", name: "rita" } as const;
    await inTransaction(database, NEVER_ABORTS, (transaction) =>
      appendEvents(transaction, { ...revoked, actor }, events),
    );
    const countEvents = async () => (await knex("credential_events").select("position")).length;
    await expect.poll(countEvents).toBeGreaterThan(101);
    const { page, leaveQuietly } = await openPage(academy, `/credentials/${uuid}`);
    await expect.poll(() => page.locator(".timeline li").count()).toBe(100);
    await page.getByRole("link", { name: "Show all events" }).click();
    await page.waitForURL(new RegExp(`/events\\?credential=${uuid}$`));
    await leaveQuietly();
  });

  test("isn't necessary to see that the schedule of the last offer failed", async () => {
    const { page, leaveQuietly } = await openPage(academy, "/");
    await page.getByText("The last one failed.").waitFor();
    await leaveQuietly();
  });
});
