import type { JsonValue } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { presentFunction } from "#api/services/presentation/present.js";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { canShow, type Option, readOptionSchema } from "#console/options/option-schema.js";
import { readEntries, readNumber, readTypedJson, readTypedList } from "#console/options/typed-value.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { languageTags } from "#foundation/languages/list.js";

const words = await loadChapter("designing", "en");

const schemas = [
  ...builtInProcessors.map((fn) => presentFunction("retrieval", fn)),
  presentFunction("generation", pdfCredentialGenerator),
].map(({ optionSchema }) => optionSchema as JsonValue);
const options = schemas.flatMap(readOptionSchema);

function pathsOf({ name, input }: Option): string[] {
  const own = input.kind === "several" ? input.each : input;
  const inner = own.kind === "group" || own.kind === "switch" ? own.options : [];
  return [name, ...inner.flatMap(pathsOf).map((at) => `${name}.${at}`)];
}

/** Returns the choices of an option and of its inner options, as `option.choice`. */
function choicesOf({ name, input }: Option): string[] {
  const own = input.kind === "several" ? input.each : input;
  if (own.kind === "choice" || own.kind === "choices")
    return own.choices.map((choice) => `${name}.${choice}`);
  return own.kind === "group" || own.kind === "switch" ? own.options.flatMap(choicesOf) : [];
}

describe("the options of the functions of the service", () => {
  it("have words in the console, and each word belongs to an existing option", () => {
    const keyOf = (path: string) => (path in words.optionNames ? path : `.${path.split(".").at(-1)}`);
    const used = new Set(options.flatMap(pathsOf).map(keyOf));
    expect(Object.keys(words.optionNames).sort()).toEqual([...used, "steps"].sort());
  });

  it("have names for their choices in every language, except the terms of Open Badges", async () => {
    const names = [...new Set(options.flatMap(choicesOf))].filter(
      (name) => !/^achievement_type\./.test(name),
    );
    expect(names).toContain("grading_scale.italian");
    for (const tag of languageTags) {
      const choices: Readonly<Record<string, string>> = await loadChapter("choices", tag);
      expect(Object.keys(choices).sort(), tag).toEqual(names.toSorted());
      const { sides, kinds } = await loadChapter("designer", tag);
      for (const [name, word] of Object.entries(choices)) {
        const [option, choice = ""] = name.split(".");
        const designers: Readonly<Record<string, string>> =
          option === "kind" ? kinds : option === "align" ? sides : {};
        expect(designers[choice] ?? word, `${tag} ${name}`).toBe(word);
      }
    }
  });

  it("have a help in words of the service", () => {
    expect(options.filter(({ help }) => help === "").map(({ name }) => name)).toEqual([]);
  });

  it.each<[string, Option["input"]["kind"], JsonValue]>([
    ["required_grades", "table", { Exam: 0.65 }],
    ["labels", "table", { hours: "Umfang" }],
    ["use_platform_total", "yes-no", true],
    ["required_completion", "number", 0.9],
    ["required_passed", "yes-no", true],
    ["required_letter", "text", "B+"],
    ["template", "asset", "paper"],
    ["credits", "text", "6 ECTS"],
    ["mail_text", "long-text", "Well done.\n\nThe academy"],
    ["public_facts", "choices", ["grade", "learner_id"]],
    ["facts", "list", ["hours", "grade.Exam"]],
    ["expiry_notices", "list", [60, 14]],
    ["signatory", "group", { name: "Ada Moreau" }],
    ["renew_on", "choice", "eligible"],
    ["images", "several", [{ asset: "crest", x: 1, y: 2 }]],
    ["qr", "switch", true],
    ["qr", "switch", { size: 60 }],
    ["open_badge", "switch", false],
    ["open_badge", "switch", { results: true }],
    ["text_elements", "several", { date: false, motto: { text: "Per mare", y: 90 } }],
  ])("%s: %s, which shows %j", (name, kind, value) => {
    const { input } = options.find((option) => option.name === name) as Option;
    expect(input.kind).toBe(kind);
    expect(canShow(input, value)).toBe(true);
    if (kind !== "json") expect(canShow(input, null)).toBe(false); // null removes the type's option
  });
});

it("an option that can only be switched off is shown as JSON while it is on", () => {
  const { input } = options.find(({ name }) => name === "open_badge") as Option;
  expect(canShow(input, true)).toBe(false);
});

it("facts that the console doesn't know are shown as JSON", () => {
  const { input } = options.find(({ name }) => name === "public_facts") as Option;
  expect(canShow(input, ["grade", "age"])).toBe(false);
});

describe("typed input", () => {
  it.each<[string, number | string]>([
    ["40", 40],
    ["0.65", 0.65],
    ["0,65", 0.65],
    [".5", 0.5],
    ["7.", 7],
    ["-3", -3],
    ["−3", -3],
    ["٠٫٧", 0.7],
    ["۴۰", 40],
    ["forty", "forty"],
    ["1.2.3", "1.2.3"],
    ["0x10", "0x10"],
    ["Infinity", "Infinity"],
    ["", ""],
  ])("as a number, %j is %j", (typed, expected) => expect(readNumber(typed)).toBe(expected));

  it.each<[string, "text" | "number", JsonValue]>([
    ["hours, grade.Exam,", "text", ["hours", "grade.Exam"]],
    ["60،14", "number", [60, 14]],
    ["60, soon", "number", [60, "soon"]],
    [" , ", "text", []],
  ])("as a list, %j is %j", (typed, of, expected) => expect(readTypedList(typed, of)).toEqual(expected));

  it("as a table, empty lines are left out, and the last value of a repeated name is used", () => {
    const lines = [
      ["Exam", "0.6"],
      ["", ""],
      ["Total", "much"],
      ["Exam", "0,7"],
    ] as const;
    expect(readEntries(lines, "number")).toEqual({ Exam: 0.7, Total: "much" });
  });

  it("as JSON stays text while it is invalid", () => {
    expect(readTypedJson('[{"x":')).toBe('[{"x":');
    expect(readTypedJson('[{"x":1}]')).toEqual([{ x: 1 }]);
  });
});
