import type { JsonObject } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import { givenDesigners } from "../given-console.js";
import { openVisitor, signIn, type Visitor } from "../visitor.js";

/** A laptop's window, in which the page and its properties are side by side. */
export const viewport = { width: 1400, height: 900 };

/** Provides the sample academy for a `describe`, with functions that create types and open them in the designer. */
export function givenDesigner(executable: string | undefined) {
  const academy = givenDesigners(executable);
  return {
    academy,

    async newType(customOptions: JsonObject): Promise<CredentialType> {
      const client = academy.staff;
      const { credentialTypes } = await client.listCredentialTypes({});
      const { retrievalFunc = "", generationFunc = "" } = credentialTypes[0] ?? {};
      const name = `Designed ${crypto.randomUUID()}`;
      return client.createCredentialType({
        credentialType: { name, retrievalFunc, generationFunc, customOptions },
      });
    },

    async optionsOf(id: number): Promise<JsonObject | undefined> {
      return (await academy.staff.getCredentialType({ id })).customOptions;
    },

    async openDesigner(id: number, chosen: Readonly<Record<string, string>> = {}): Promise<Visitor> {
      const visitor = await openVisitor(academy.browser, academy.service, { chosen, viewport });
      await signIn(visitor, academy.service, {
        username: `dana.${crypto.randomUUID()}`,
        roles: ["designer"],
      });
      await visitor.page.goto(`${academy.service.httpUrl}/console/types/${id}#design`);
      await drawn(visitor.page);
      return visitor;
    },
  };
}

/** Waits until the page is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('.stage-page canvas[data-drawn="true"]').waitFor();
}

export function onPage(page: Page, path: string) {
  return page.locator(`.stage-item[data-path="${path}"]`);
}

/** Returns the number of pixels per point on the page. */
export async function scaleOf(page: Page): Promise<number> {
  return ((await page.locator(".stage-page").boundingBox())?.width ?? 0) / 841.89;
}

export async function openForm(page: Page): Promise<void> {
  await page.locator(".workshop-more summary").click();
  await page.getByRole("button", { name: "Form" }).click();
}

export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
}
