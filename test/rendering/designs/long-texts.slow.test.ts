import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { designs } from "#formats/rendering/designs/list.js";
import type { CredentialFacts } from "#formats/rendering/generator.js";
import { collisions } from "../collisions.js";
import { printedLines } from "../printed-lines.js";
import { readPdf } from "../read-pdf.js";
import { facts, names, parts, pictures, texts } from "./samples.js";

const longNames = [
  "Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X",
  "Maria del Pilar Teresa Dolores Cayetana de la Santísima Trinidad y de Todos los Santos",
  "Nguyễn Phúc Bảo Long Trần Thị Kim Ánh Lê Hoàng Minh Phương Đặng Quốc Việt",
  "Ana ".repeat(24).trim(),
  "Wolfeschlegelsteinhausenbergerdorff".repeat(2),
];

describe.each(names.flatMap((name) => Object.keys(parts).map((part) => ({ name, part }))))(
  "$name, $part",
  ({ name, part }) => {
    const options = { ...designs[name], ...parts[part] };
    const credential = (own: Partial<CredentialFacts>): CredentialFacts => ({ ...facts, ...own });

    /** Returns the sizes of title and name. */
    async function sizesOf(userFullName: string) {
      const mode = { stamp: "none", layoutOnly: true, lenient: false } as const;
      const previewed = await generator.preview?.(credential({ userFullName }), options, pictures, mode);
      const sizeOf = (words: string) =>
        previewed?.layout?.elements.find(({ text }) => text?.words.toLowerCase() === words.toLowerCase())
          ?.text?.size ?? Number.NaN;
      return { title: sizeOf(facts.credentialType), name: sizeOf(userFullName) };
    }

    test("a long name leaves the title at least four fifths of its size", async () => {
      const long = texts["80 characters"]?.facts.userFullName ?? "";
      const [before, after] = [await sizesOf("Ana Kovač"), await sizesOf(long)];
      expect(after.title).toBeGreaterThan(before.title * 0.8 - 0.01);
    });

    test.each(longNames)(
      "%s leaves the title at its minimum, or just below the name",
      async (userFullName) => {
        const short = await sizesOf("Ana Kovač");
        const long = await sizesOf(userFullName);
        expect(long.name).toBeLessThan(short.name);
        expect(long.title).toBeGreaterThan(Math.min(short.title * 0.8, long.name * 0.95) - 0.01);
        const { items } = await readPdf(
          await generator.render(credential({ userFullName }), options, pictures),
        );
        expect(collisions(items)).toEqual([]);
      },
    );

    test.each(["80 characters", "two-line title"])(
      "with %s, no line ends with a preposition, an article or a name particle",
      async (text) => {
        const { userFullName, learningContextName, credentialType } = credential(texts[text]?.facts ?? {});
        const all = [userFullName, learningContextName, credentialType].join("\n").toLowerCase();
        const page = await readPdf(
          await generator.render(credential(texts[text]?.facts ?? {}), options, pictures),
        );
        const lines = printedLines(page).filter((line) => all.includes(line.toLowerCase()));
        expect(lines.length).toBeGreaterThan(3);
        expect(lines.filter((line) => /\s(?:of|the|in|von|with|for|and|zu)$/i.test(line))).toEqual([]);
      },
    );
  },
);
