import type { Command } from "commander";
import {
  type AlignmentOption,
  alignmentOption,
  MAX_ALIGNMENTS,
} from "#domain/configurations/alignment-option.js";
import { readFramework } from "#domain/configurations/framework-file.js";
import { OPEN_BADGE } from "#domain/configurations/open-badge-option.js";
import { invalid, printable, quoted } from "#foundation/errors.js";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { textOf } from "#foundation/text/no-file.js";
import { encodingOf } from "./encoding-option.js";
import { readInput } from "./read-input.js";

/** ESCO takes about 15 MB per language. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Options {
  readonly find?: string;
  readonly only?: readonly string[];
  readonly framework?: string;
  readonly encoding?: string;
  readonly list: boolean;
}

export function addCommand(program: Command): void {
  program
    .command("skills")
    .description("convert skills of a CASE package or an ESCO table to the option open_badge.alignment")
    .argument("<file>", "CFPackage of CASE (JSON), or table of ESCO with conceptUri and preferredLabel (CSV)")
    .option("--find <text>", "only skills whose name, code or URL contains this")
    .option("--only <skills...>", "only skills with these codes, URLs or names")
    .option("--framework <name>", "name of the framework (default: the package's name, or ESCO)")
    .option("--encoding <name>", "encoding of a file that is neither UTF-8 nor UTF-16, such as windows-1250")
    .option("--list", "print code, name and URL of each skill, one per line, instead of the option", false)
    .addHelpText(
      "after",
      `
The command prints JSON, which you can paste into the options of a type or configuration. A badge has at most ${MAX_ALIGNMENTS}
skills. Names are truncated to 200 characters, and descriptions to 500. No database and no network are needed.`,
    )
    .action(async (file: string, options: Options) => {
      const bytes = await readInput(file);
      if (bytes.length > MAX_BYTES)
        throw invalid(`${file} has ${bytes.length} bytes; at most ${MAX_BYTES} are read.`);
      const skills = selectSkills(
        readFramework(textOf(bytes, file, encodingOf(options)), file, options.framework),
        options,
      );
      process.stdout.write(options.list ? skills.map(lineOf).join("") : optionOf(skills, file));
    });
}

function selectSkills(skills: readonly AlignmentOption[], { find, only }: Options): AlignmentOption[] {
  const [searched, wanted] = [find?.toLowerCase() ?? "", only?.map((each) => each.toLowerCase())];
  const unknown = wanted?.find((each) => !skills.some((skill) => namesOf(skill).includes(each)));
  if (unknown !== undefined) throw invalid(`There is no skill ${printable(unknown)}: --list shows all.`);
  return skills.filter((skill) => {
    const names = namesOf(skill);
    const isWanted = wanted === undefined || wanted.some((each) => names.includes(each));
    return isWanted && names.some((name) => name.includes(searched));
  });
}

function namesOf({ name, url, code = "" }: AlignmentOption): string[] {
  return [name, url, code].filter((each) => each !== "").map((each) => each.toLowerCase());
}

function lineOf({ name, url, code = "" }: AlignmentOption): string {
  return `${[code, name, url].map((each) => printable(each, 500)).join("\t")}\n`;
}

function optionOf(skills: readonly AlignmentOption[], file: string): string {
  if (skills.length === 0) throw invalid(`${file} has no such skill: --list shows all.`);
  if (skills.length > MAX_ALIGNMENTS)
    throw invalid(
      `${skills.length} skills are selected, but a badge can name at most ${MAX_ALIGNMENTS}: select fewer with --find or --only. --list shows them.`,
    );
  for (const skill of skills) {
    const { error } = alignmentOption.element.safeParse(skill);
    if (error) throw invalid(`${file}, skill ${quoted(skill.name)}: ${describeIssues(error.issues)}.`);
  }
  const { error, data } = alignmentOption.safeParse(skills);
  if (error) throw invalid(`${file}: ${describeIssues(error.issues)}.`);
  return `${JSON.stringify({ [OPEN_BADGE]: { alignment: data } }, undefined, 2)}\n`;
}
