import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { ada } from "../ada.js";
import { printedLines } from "../printed-lines.js";
import { readPdf } from "../read-pdf.js";

async function linesOf(learningContextName: string, max_width: number): Promise<string[]> {
  const context = { y: 300, size: 24, max_width, shrink: 1 };
  const options = { paper: "#fff", text_elements: { name: false, date: false, context } };
  return printedLines(await readPdf(await generator.render({ ...ada, learningContextName }, options)));
}

test.each([
  ["Practical Observation of the Night Sky with Binoculars", 330, "Practical Observation"],
  ["Certificate of Advanced Studies in Navigation", 330, "Certificate of Advanced Studies"],
  ["Reading the Night Sky in Spring Term 2026", 280, "Reading the Night Sky"],
  ["Introduction à la physique quantique", 250, "Introduction"],
  ["Introducción a la historia de las matemáticas", 300, "Introducción a la historia"],
  ["Вступ до історії України та її культури", 260, "Вступ до історії України"],
  ["Εισαγωγή στη φιλοσοφία και την ιστορία της τέχνης", 300, "Εισαγωγή στη φιλοσοφία"],
  ["Mathematics, Physics & Astronomy", 230, "Mathematics,"],
  ["Observation – An Introduction", 240, "Observation –"],
  ["Introduction to Physics 101 for Engineers", 260, "Introduction to Physics 101"],
  ["Mathematik II für Ingenieurinnen", 220, "Mathematik II"],
  ["Maria Magdalena von der Leyen", 240, "Maria Magdalena"],
  ["Leonardo Sebastiano della Francesca", 240, "Leonardo Sebastiano"],
  ["Magdalena Prof. Bergmann", 200, "Magdalena"],
  ["Wolfeschlegelsteinhausen Hohenlohe zu X", 300, "Wolfeschlegelsteinhausen"],
  ["रात के आकाश को दूरबीन से देखने का परिचय", 230, "रात के आकाश को"],
  ["นางสาวกุลธิดา ศรีสุวรรณกิจเจริญ", 230, "นางสาวกุลธิดา"],
])("the first line of %s ends between two phrases", async (text, width, first) => {
  const lines = await linesOf(text, width);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(first);
});
