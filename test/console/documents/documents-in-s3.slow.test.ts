import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium, launchChromium } from "../../edges/pages/chromium.js";
import { type S3Endpoint, startS3rver } from "../../files/s3/endpoints.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { buildConsole } from "../built-console.js";
import { ownAddress } from "../given-console.js";
import { openVisitor, signIn } from "../visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("with files in a bucket", () => {
  let s3: S3Endpoint;
  let academy: Academy;
  let browser: Browser;
  let uuid: string;

  beforeAll(async () => {
    buildConsole();
    s3 = await startS3rver();
    academy = await openAcademy({
      settings: {
        ...(await ownAddress()),
        ...s3.settings,
      },
    });
    await academy.enrol("ana");
    ({ uuid } = await academy.issue("ana"));
    await academy.generate(uuid);
    browser = await launchChromium(executable as string);
  });
  afterAll(async () => {
    await browser?.close();
    await academy?.service.stop();
    await s3?.stop();
  });

  test("the document of a credential is shown beside its facts, with no request to the bucket", async () => {
    const { service } = academy;
    const visitor = await openVisitor(browser, service);
    const { page, expectQuiet, leave } = visitor;
    await signIn(visitor, service);
    await page.goto(`${service.httpUrl}/console/credentials/${uuid}`);
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    const inked = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector("figure.pdf canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, index) => index % 4 === 0 && value < 200).length / (data.length / 4);
    })()`);
    expect(inked).toBeGreaterThan(0.001);
    await page.getByRole("button", { name: "Reissue…" }).click();
    await expect.poll(() => page.locator('figure.pdf[data-outcome="shown"]').count()).toBeGreaterThan(1);
    expectQuiet();
    await leave();
  });
});
