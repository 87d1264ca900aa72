import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { addCommand } from "#app/commands/skills.js";
import { openBadgeOption } from "#domain/configurations/open-badge-option.js";
import { givenDirectory } from "../support/directory.js";

/** A package in the form of CASE 1.0, with members that are absent, null or empty. */
const PACKAGE = {
  CFDocument: { identifier: "d", uri: "https://case.test/uri/d", title: "Night Sky Competencies" },
  CFItems: [
    {
      identifier: "1",
      uri: "https://case.test/uri/1",
      fullStatement: "Finds north by the stars, without a compass",
      abbreviatedStatement: "Finds north",
      humanCodingScheme: "NS.1",
      CFItemType: "Standard",
    },
    {
      identifier: "2",
      uri: "https://case.test/uri/2",
      fullStatement: `Names ${"stars, ".repeat(40)}`,
      humanCodingScheme: null,
    },
    {
      identifier: "3",
      uri: "https://case.test/uri/3",
      fullStatement: "Draws a map",
      abbreviatedStatement: "",
    },
    { identifier: "4", uri: "http://case.test/uri/4", fullStatement: "Is at no address with https" },
    ...Array.from({ length: 20 }, (_, n) => ({
      uri: `https://case.test/uri/m${n}`,
      fullStatement: `Knows moon ${n}`,
    })),
  ],
  CFAssociations: [],
};

/** A table in the form of ESCO's portal. Alternative labels are on separate lines. */
const ESCO = `conceptType,conceptUri,skillType,reuseLevel,preferredLabel,altLabels,status,description
KnowledgeSkillCompetence,http://data.europa.eu/esco/skill/00ad,skill/competence,sector-specific,observe celestial objects,"watch stars
""look at"" planets",released,"Look at stars, and planets."
KnowledgeSkillCompetence,http://data.europa.eu/esco/skill/00ae,knowledge,cross-sector,Astronomie spatiale é,,released,
`;

const directory = givenDirectory("skills");
beforeAll(async () => {
  await writeFile(join(directory, "case.json"), JSON.stringify(PACKAGE));
  await writeFile(join(directory, "esco.csv"), `\ufeff${ESCO}`);
});

/** Runs the command in this process. */
async function skills(file: string, ...args: string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const program = new Command().exitOverride();
    addCommand(program);
    await program.parseAsync(["skills", join(directory, file), ...args], { from: "user" });
    return write.mock.calls.map(([text]) => text).join("");
  } finally {
    write.mockRestore();
  }
}

async function option(file: string, ...args: string[]) {
  const { open_badge } = JSON.parse(await skills(file, ...args));
  expect(openBadgeOption.safeParse(open_badge).error).toBeUndefined();
  return open_badge.alignment;
}

describe("a package of CASE", () => {
  test("becomes the option, with the package's facts about each item", async () => {
    expect(await option("case.json", "--only", "ns.1", "https://case.test/uri/2", "Draws a map")).toEqual([
      {
        name: "Finds north",
        url: "https://case.test/uri/1",
        description: "Finds north by the stars, without a compass",
        framework: "Night Sky Competencies",
        code: "NS.1",
        type: "CFItem",
      },
      {
        name: expect.stringMatching(/^Names stars, .{180,}…$/),
        url: "https://case.test/uri/2",
        description: `Names ${"stars, ".repeat(40)}`.trim(),
        framework: "Night Sky Competencies",
        type: "CFItem",
      },
      {
        name: "Draws a map",
        url: "https://case.test/uri/3",
        framework: "Night Sky Competencies",
        type: "CFItem",
      },
    ]);
  });

  test("can be listed and searched, whatever it contains", async () => {
    const lines = (await skills("case.json", "--list")).trimEnd().split("\n");
    expect(lines).toHaveLength(24);
    expect(lines[0]).toBe("NS.1\tFinds north\thttps://case.test/uri/1");
    expect(await option("case.json", "--find", "MOON 1", "--framework", "Moons")).toHaveLength(11);
  });

  test.each([
    ["more skills than a badge names", [], /24 skills are selected, but a badge can name at most 20/],
    [
      "an address that is not https",
      ["--find", "no address"],
      /case.json, skill "Is at no address with https": url: must be a URL with https/,
    ],
    ["what is not in it", ["--only", "NS.9"], /no skill ns\.9/],
    ["nothing", ["--find", "sun"], /no such skill/],
  ])("is refused for %s", async (_what, args, problem) => {
    await expect(skills("case.json", ...args)).rejects.toThrow(problem);
  });
});

test("a table of ESCO becomes the option", async () => {
  expect(await option("esco.csv", "--framework", "ESCO 1.2")).toEqual([
    {
      name: "observe celestial objects",
      url: "http://data.europa.eu/esco/skill/00ad",
      description: "Look at stars, and planets.",
      framework: "ESCO 1.2",
    },
    { name: "Astronomie spatiale é", url: "http://data.europa.eu/esco/skill/00ae", framework: "ESCO 1.2" },
  ]);
});

test.each([
  ["JSON of another kind", '{"CFDocument": {}}', /not a CASE package/],
  ["an item without an address", '{"CFItems": [{"fullStatement": "x"}]}', /item 1 of CFItems lacks its uri/],
  ["a list", "[null]", /not a CASE package/],
  ["half of a JSON", '{"CFItems": [', /is not JSON/],
  ["another table", "a,b\n1,2\n", /neither a CASE package .* nor an ESCO table/],
  [
    "a row without a label",
    "conceptUri,preferredLabel\nhttp://data.europa.eu/x,\n",
    /line 2: conceptUri or preferredLabel is missing/,
  ],
  ["an empty file", "", /other is empty: its first row must name the columns/],
  ["an open quotation mark", 'a,b\n"1,2\n', /line 2: a quotation mark is not closed/],
])("%s is refused by name", async (_what, content, problem) => {
  await writeFile(join(directory, "other"), content);
  await expect(skills("other")).rejects.toThrow(problem);
});
