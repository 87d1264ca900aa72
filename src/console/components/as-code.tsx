import { create, type DescMethodUnary, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { type ReactNode, useState } from "react";
import { useWords } from "../i18n/words.js";
import { settings } from "../service/settings.js";
import { Button } from "./button.js";
import { CodeLine } from "./code-line.js";
import { saveFile } from "./save-file.js";

/** Characters of a request that a command line shows and takes. A longer one is a file. */
const MAX_INLINE = 8000;

const REQUEST_FILE = "request.json";

/** Shows how a program or a shell would do the same. */
export function AsCode<M extends DescMethodUnary>({
  method,
  request,
  commands,
}: {
  readonly method: M;
  readonly request: MessageInitShape<M["input"]>;
  /** Arguments of `learning-credentials`, where commands do it. */
  readonly commands?: readonly (readonly string[])[] | undefined;
}) {
  const { parts } = useWords();
  return (
    <div className="as-code">
      {commands && (
        <Disclosure label={parts.asCommand}>
          <CodeLine text={commands.map(commandLine).join("\n")} />
        </Disclosure>
      )}
      <Disclosure label={parts.asApiCall}>
        <ApiCall method={method} request={request} />
      </Disclosure>
    </div>
  );
}

function ApiCall<M extends DescMethodUnary>({
  method,
  request,
}: {
  readonly method: M;
  readonly request: MessageInitShape<M["input"]>;
}) {
  const { parts } = useWords();
  const json = JSON.stringify(toJson(method.input, create(method.input, request)));
  const isFile = json.length > MAX_INLINE;
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

/** Holds what is made only when somebody wants to see it. */
function Disclosure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  );
}

function commandLine(words: readonly string[]): string {
  return ["learning-credentials", ...words.map(shellQuoted)].join(" ");
}

/** Quotes a word so that a POSIX shell takes it literally. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
