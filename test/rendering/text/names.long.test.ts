import { expect, test } from "vitest";
import { missingTools } from "../pdf-tools.js";
import { expectNothingWrong, localNames } from "./names.js";

const missing = await missingTools("qpdf", "pdffonts", "pdftotext");

test.skipIf(missing.length > 0)(
  "pdftotext reads back names from every locale of faker, and qpdf and pdffonts report nothing",
  async () => {
    const names = localNames.flatMap(([, names]) => names);
    expect(names.length).toBeGreaterThan(100);
    await expectNothingWrong(names);
  },
);
