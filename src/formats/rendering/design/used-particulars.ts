import type { UsedParticulars } from "../generator.js";
import type { PdfOptions } from "./pdf-options.js";
import { type Placeholder, placeholdersOf, readPlaceholder } from "./placeholders.js";

/** Returns which values documents print from records, and which values the options state. */
export function usedParticulars(options: PdfOptions): UsedParticulars {
  const texts = Object.values(options.text_elements).map((element) => (element ? element.text : undefined));
  const printed: readonly Placeholder[] = [
    ...texts.flatMap((text) => (text === undefined ? [] : placeholdersOf(text))),
    ...(printsFacts(options) ? options.facts : []).flatMap((name) => readPlaceholder(name) ?? []),
  ];
  const facts = new Set(printed.map((each) => (each.kind === "fact" ? each.name : "")));
  const keysOf = (kind: "grade" | "learner" | "enrollment") => [
    ...new Set(printed.flatMap((each) => (each.kind === kind ? [each.key] : []))),
  ];
  const { hours, credits, signatory } = options;
  return {
    stated: {
      ...(hours !== undefined && { hours }),
      ...(credits !== undefined && { credits }),
      ...(signatory && { signatory: signatoryOf(signatory) }),
    },
    hours: facts.has("hours"),
    learnerId: facts.has("learner_id"),
    grade: facts.has("grade"),
    grades: keysOf("grade"),
    letter: facts.has("letter_grade"),
    passed: facts.has("passed"),
    completion: facts.has("completion"),
    steps: facts.has("steps"),
    learner: keysOf("learner"),
    enrollment: keysOf("enrollment"),
  };
}

/** Returns whether the option `facts` has an effect: in the built-in design, and with facts in `places`. */
function printsFacts({ template, paper, places }: PdfOptions): boolean {
  return (template === undefined && paper === undefined) || places.facts !== undefined;
}

/** Omits the picture of the signature, which is stored with the assets. */
function signatoryOf({ name, title }: NonNullable<PdfOptions["signatory"]>) {
  return { name, ...(title !== undefined && { title }) };
}
