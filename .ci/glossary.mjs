#!/usr/bin/env node
// Writes .docs/glossary.md from the glossary, which translators and tests read.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const languages = join(root, "src/foundation/languages");
const terms = JSON.parse(readFileSync(join(languages, "glossary.json"), "utf8"));
const tags = readdirSync(languages, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() && entry.name !== "en" ? [entry.name] : []))
  .sort();
const row = (cells) => `| ${cells.join(" | ")} |`;
const page = `# Glossary

Use these terms in the interface, the API, the documentation and the code, and their translations in the other
languages. The table is made from \`src/foundation/languages/glossary.json\` by \`npm run generate\`.

${[
  row(["term", "meaning", ...tags]),
  row(["term", "meaning", ...tags].map(() => "---")),
  ...terms.map((term) => row([`**${term.en}**`, term.definition, ...tags.map((tag) => term[tag])])),
].join("\n")}
`;
writeFileSync(process.argv[2] ?? join(root, ".docs/glossary.md"), page);
