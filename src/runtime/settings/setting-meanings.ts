import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the documentation says of a setting. */
export interface SettingMeaning {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
}

/** The page lies beside `src` or `dist`, whichever runs. */
const PAGE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "../../../.docs/settings.md" : "../../../../.docs/settings.md",
);

/** Reads the table of `.docs/settings.md`, so that what a setting means is written once. */
export async function readSettingMeanings(): Promise<SettingMeaning[]> {
  const page = await readFile(PAGE, "utf8");
  return page.split("\n").flatMap((line) => {
    const [, name, ...cells] = /^\| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|[^|]*\|$/.exec(line) ?? [];
    const [type = "", otherwise = "", meaning = ""] = cells.map(plain);
    return name === undefined ? [] : [{ name, type, default: otherwise, meaning }];
  });
}

/** Leaves out the marks of Markdown: code, and where links lead. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .trim();
}
