import { expect, test } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { ada } from "../ada.js";
import { characters, readPdf } from "../read-pdf.js";
import { blankPage } from "../templates.js";
import { namesByScript } from "./scripts.js";

const onlyName = { template: "blank", text_elements: { context: false, date: false } };
const assets = new Map([["blank", await blankPage()]]);

test.each(namesByScript)("a name in %s is printed: %s", async (_script, userFullName) => {
  const check = await pdfCredentialGenerator.textCheck?.(onlyName, new Map());
  expect(check).toBeDefined();
  check?.({ ...ada, userFullName });
  const pdf = await pdfCredentialGenerator.render({ ...ada, userFullName }, onlyName, assets);
  const { items, info } = await readPdf(pdf);
  expect(characters(items.map(({ text }) => text).join(""))).toBe(characters(userFullName));
  expect(info).toMatchObject({ Title: `${ada.credentialType} – ${userFullName}` });
});
