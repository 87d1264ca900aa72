import { invalid } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import { withoutByteOrderMark } from "#foundation/text/byte-order-mark.js";
import { MAX_ROWS, noFile } from "#foundation/text/no-file.js";
import { readTable } from "#foundation/text/tables/read-table.js";
import { from } from "#foundation/text/tables/table.js";
import type { AlignmentOption } from "./alignment-option.js";

/** Maximum length of a framework's texts. Longer texts are cut. */
const MAX_NAME = 200;
const MAX_DESCRIPTION = 500;

/**
 * Reads the skills of a framework, in order, from a package of CASE 1.0 or 1.1 (CFPackage, as JSON) or a table of ESCO
 * (CSV). Nothing is fetched, and addresses are not checked.
 * @param what names the file in errors
 * @param framework name of the framework; default: the name in the package, or ESCO
 * @throws Problem `invalid` for other files
 */
export function readFramework(text: string, what: string, framework?: string): AlignmentOption[] {
  return /^\s*[{[]/.test(text) ? readCase(text, what, framework) : readEsco(text, what, framework);
}

type Json = Readonly<Record<string, unknown>>;

function readCase(text: string, what: string, framework: string | undefined): AlignmentOption[] {
  const { CFDocument: document, CFItems: items } = parse(text, what);
  if (!Array.isArray(items))
    throw invalid(
      `${what} is not a CASE package: it has no list CFItems. Fetch it from …/ims/case/v1p0/CFPackages/<id>.`,
    );
  const name = framework ?? textIn(document, "title");
  return items.map((item, index) => {
    const [url, statement] = [textIn(item, "uri"), textIn(item, "fullStatement")];
    if (url === undefined || statement === undefined)
      throw invalid(`${what}: item ${index + 1} of CFItems lacks its uri or fullStatement.`);
    return skillOf({
      url,
      name: textIn(item, "abbreviatedStatement") ?? statement,
      description: statement,
      framework: name,
      code: textIn(item, "humanCodingScheme"),
      type: "CFItem",
    });
  });
}

function parse(text: string, what: string): Json {
  try {
    return (JSON.parse(withoutByteOrderMark(text)) ?? {}) as Json;
  } catch (error) {
    throw invalid(`${what} is not JSON: ${(error as Error).message}`, error);
  }
}

function textIn(node: unknown, name: string): string | undefined {
  const value = typeof node === "object" && node !== null ? (node as Json)[name] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function readEsco(text: string, what: string, framework = "ESCO"): AlignmentOption[] {
  const read = readTable(text, { most: MAX_ROWS });
  const table = "fault" in read ? read : from(read, 0, { most: MAX_ROWS });
  if ("fault" in table) throw noFile(what, table);
  const [header, ...rows] = table.rows;
  const columnOf = (name: string) => header?.cells.indexOf(name) ?? -1;
  const [uri, label] = [columnOf("conceptUri"), columnOf("preferredLabel")];
  if (uri === -1 || label === -1)
    throw invalid(
      `${what} is neither a CASE package (JSON) nor an ESCO table (CSV): its first line lacks conceptUri or preferredLabel.`,
    );
  const [description, code] = [columnOf("description"), columnOf("code")];
  return rows.map(({ cells, line }) => {
    const [url = "", name = ""] = [cells[uri], cells[label]];
    if (url === "" || name === "")
      throw invalid(`${what}, line ${line}: conceptUri or preferredLabel is missing.`);
    return skillOf({
      url,
      name,
      description: cells[description] || undefined,
      framework,
      code: cells[code] || undefined,
    });
  });
}

/** Leaves out fields that are empty or only repeat the name. */
function skillOf(skill: AlignmentOption): AlignmentOption {
  const { name, url, description, framework, code, type } = skill;
  const shownName = shorten(name, MAX_NAME);
  return {
    name: shownName,
    url,
    ...(description !== undefined &&
      description !== shownName && { description: shorten(description, MAX_DESCRIPTION) }),
    ...(framework !== undefined && { framework }),
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
  };
}
