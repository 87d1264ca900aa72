import { strToU8, type Zippable, zipSync } from "fflate";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a workbook that a test determines. The other parts are like Excel's. */
export interface MadeWorkbook {
  /** The content of `sheetData`, by the names of the sheets. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The XML after `sheetData`. */
  readonly after?: string;
  readonly hidden?: readonly string[];
  /** Items of the shared strings, as XML. */
  readonly texts?: readonly string[];
  /** Format codes. Style n + 1 has the n-th code, and style 0 has General. */
  readonly formats?: readonly (string | number)[];
  readonly is1904?: boolean;
  /** Parts that replace the generated ones. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
}

/**
 * Creates a workbook according to ECMA-376. Its parts, relations and attributes have the same names as in Excel 2019.
 */
export function madeWorkbook(made: MadeWorkbook): Uint8Array<ArrayBuffer> {
  const names = Object.keys(made.sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (inner: string) =>
    `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
  const parts: Record<string, string | Uint8Array> = {
    "[Content_Types].xml": `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": relations(relation("rId1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${made.is1904 ? ' date1904="1"' : ""}/><sheets>${names
      .map((name, index) => {
        const state = made.hidden?.includes(name) ? ' state="hidden"' : "";
        return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
      })
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      [
        ...names.map((_, index) =>
          relation(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`),
        ),
        relation("rId90", "styles", "styles.xml"),
        relation("rId91", "sharedStrings", "/xl/sharedStrings.xml"),
      ].join(""),
    ),
    "xl/sharedStrings.xml": `${DECLARATION}<sst xmlns="${MAIN}">${(made.texts ?? []).map((text) => `<si>${text}</si>`).join("")}</sst>`,
    "xl/styles.xml": stylesOf(made.formats ?? []),
  };
  for (const [index, name] of names.entries()) {
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>${made.sheets[name]}</sheetData>${made.after ?? ""}</worksheet>`;
  }
  const files = Object.entries({ ...parts, ...made.parts }).map(([name, content]) => [
    name,
    typeof content === "string" ? strToU8(content) : content,
  ]);
  return zipSync(Object.fromEntries(files) as Zippable);
}

function stylesOf(formats: readonly (string | number)[]): string {
  const escaped = (code: string) =>
    code.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const idOf = (code: string | number, index: number) => (typeof code === "number" ? code : 164 + index);
  return `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts>${formats
    .flatMap((code, index) =>
      typeof code === "number"
        ? []
        : `<numFmt numFmtId="${idOf(code, index)}" formatCode="${escaped(code)}"/>`,
    )
    .join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
    .map((code, index) => `<xf numFmtId="${idOf(code, index)}" applyNumberFormat="1"/>`)
    .join("")}</cellXfs></styleSheet>`;
}
