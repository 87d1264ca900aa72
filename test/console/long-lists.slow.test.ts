import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { assetParts } from "../assets/asset-parts.js";
import { findChromium } from "../edges/pages/chromium.js";
import { givenConsole } from "./given-console.js";
import { openPage, openVisitor, signIn } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("a choice from a long list", () => {
  const academy = givenConsole(executable, {}, async ({ configurations, service }) => {
    const picture = createCanvas(8, 8).toBuffer("image/png");
    await configurations.uploadAsset(assetParts("first", picture));
    await service.app.database.knex.raw(
      `insert into assets (slug, sha256, uploaded_at, uploaded_by)
       select 'file-' || number, sha256, now(), 'registrar' from assets, generate_series(1, 2001) number`,
    );
    const [type] = (await configurations.listCredentialTypes({})).credentialTypes;
    const { retrievalFunc = "", generationFunc = "" } = type ?? {};
    for (let number = 1; number <= 60; number++)
      await configurations.createCredentialType({
        credentialType: { name: `Type ${number}`, retrievalFunc, generationFunc },
      });
    await service.app.database.knex.raw(
      `insert into credential_configurations (credential_type_id, learning_context_key, custom_options)
       select min(id), 'course-v1:Uni+C' || number || '+2027', '{}'
       from credential_types, generate_series(1, 2001) number group by number`,
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
    await page.locator("select[name=type]").selectOption({ label: "Type 60" });
    await leaveQuietly();
  });
});
