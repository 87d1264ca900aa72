import { type DragEvent, useId, useState } from "react";
import { Button } from "../components/button.js";
import { useChapter } from "../i18n/words.js";
import { MAX_LIST_BYTES, type UploadedSource } from "./uploaded-list.js";

export function ListSource({
  source,
  onGive,
}: {
  readonly source: UploadedSource | undefined;
  readonly onGive: (source: UploadedSource | undefined) => void;
}) {
  const words = useChapter("issuing").list;
  const [isOver, setOver] = useState(false);
  const [pasteId, fileId] = [useId(), useId()];

  async function take(file: File | undefined) {
    if (!file) return;
    const start = file.slice(0, MAX_LIST_BYTES + 1); // reads no more than is needed to see that a file is too large
    onGive({ kind: "file", name: file.name, bytes: new Uint8Array(await start.arrayBuffer()) });
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  if (source?.kind === "file") {
    return (
      <p className="given">
        <bdi>{source.name}</bdi> <Button onPress={() => onGive(undefined)}>{words.clear}</Button>
      </p>
    );
  }
  return (
    <div className="sources">
      <div className="field">
        <label htmlFor={pasteId}>{words.paste}</label>
        <textarea
          id={pasteId}
          className="paste"
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          placeholder={words.pasteHint}
          value={source?.text ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onGive(value === "" ? undefined : { kind: "text", text: value })
          }
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is another way to choose a file */}
      <div
        className="field drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label htmlFor={fileId}>{words.file}</label>
        <input
          id={fileId}
          type="file"
          accept=".xlsx,.xlsm,.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={({ currentTarget: { files } }) => void take(files?.[0])}
        />
        <p className="small faint">{words.drop}</p>
      </div>
    </div>
  );
}
