import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface SettingMeaning {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
}

/** The path depends on whether `src` or `dist` is running. */
const PAGE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "../../../.docs/settings.md" : "../../../../.docs/settings.md",
);

/** Reads the table in `.docs/settings.md`, so that settings are documented in only one place. */
export async function readSettingMeanings(): Promise<SettingMeaning[]> {
  const page = await readFile(PAGE, "utf8");
  return page.split("\n").flatMap((line) => {
    const [, name, ...cells] = /^\| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|[^|]*\|$/.exec(line) ?? [];
    const [type = "", otherwise = "", meaning = ""] = cells.map(plain);
    return name === undefined ? [] : [{ name, type, default: otherwise, meaning }];
  });
}

/** Removes Markdown code marks and link targets. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .trim();
}
