import { create, type DescMethodUnary, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { useWords } from "../i18n/words.js";
import { settings } from "../service/settings.js";
import { Button } from "./button.js";
import { CodeLine } from "./code-line.js";
import { saveFile } from "./save-file.js";

/** Maximum length of a request on a command line. A longer one is written to a file. */
const MAX_INLINE_LENGTH = 8000;

const REQUEST_FILE = "request.json";

export function ApiCall({
  method,
  request,
}: {
  readonly method: DescMethodUnary;
  readonly request: MessageInitShape<DescMethodUnary["input"]>;
}) {
  const { parts } = useWords();
  const json = JSON.stringify(toJson(method.input, create(method.input, request)));
  const isFile = json.length > MAX_INLINE_LENGTH;
  const call = [
    'curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"',
    `-d ${isFile ? `@${REQUEST_FILE}` : shellQuoted(json)}`,
    `${settings.publicUrl}/${method.parent.typeName}/${method.name}`,
  ].join(" \\\n  ");
  return (
    <>
      <CodeLine text={call} />
      {isFile && (
        <Button onPress={() => saveFile(REQUEST_FILE, new Blob([json], { type: "application/json" }))}>
          {parts.download} <code dir="ltr">{REQUEST_FILE}</code>
        </Button>
      )}
    </>
  );
}

export function Commands({ commands }: { readonly commands: readonly (readonly string[])[] }) {
  return <CodeLine text={commands.map(commandLine).join("\n")} />;
}

function commandLine(words: readonly string[]): string {
  return ["learning-credentials", ...words.map(shellQuoted)].join(" ");
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
