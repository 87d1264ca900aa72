import { create, type DescMethodUnary, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { useWords } from "../reader/words.js";
import { settings } from "../service/settings.js";
import { CodeLine } from "./code-line.js";

/** Shows how a program or a shell would do the same. */
export function AsCode<M extends DescMethodUnary>({
  method,
  request,
  command,
}: {
  readonly method: M;
  readonly request: MessageInitShape<M["input"]>;
  /** Arguments of `learning-credentials`, where a command does it. */
  readonly command?: readonly string[];
}) {
  const { parts } = useWords();
  const json = JSON.stringify(toJson(method.input, create(method.input, request)));
  const call = [
    'curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"',
    `-d ${shellQuoted(json)}`,
    `${settings.publicUrl}/${method.parent.typeName}/${method.name}`,
  ].join(" \\\n  ");
  return (
    <div className="as-code">
      {command && (
        <details>
          <summary>{parts.asCommand}</summary>
          <CodeLine text={["learning-credentials", ...command.map(shellQuoted)].join(" ")} />
        </details>
      )}
      <details>
        <summary>{parts.asApiCall}</summary>
        <CodeLine text={call} />
      </details>
    </div>
  );
}

/** A word as a POSIX shell reads it. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
