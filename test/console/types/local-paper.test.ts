import { expect, test } from "vitest";
import { onLocalPaper } from "#console/types/local-paper.js";

test.each(["en-US", "en-CA", "fr-CA", "es-MX", "es-CL", "fil-PH", "es-PR", "en-Latn-US"])(
  "a new design is on US Letter in a browser of %s",
  (language) => {
    expect(onLocalPaper({ page: { orientation: "portrait" }, qr: false }, language)).toEqual({
      page: { orientation: "portrait", size: "LETTER" },
      qr: false,
    });
    expect(onLocalPaper({}, language)).toEqual({ page: { size: "LETTER" } });
  },
);

test.each(["en-GB", "en", "de", "es-ES", "es-419", "fr-FR", "pt-BR", "uk-UA", "ar-EG"])(
  "a new design stays on A4 in a browser of %s",
  (language) => {
    const options = { page: { orientation: "portrait" } };
    expect(onLocalPaper(options, language)).toBe(options);
  },
);
