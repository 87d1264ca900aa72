import type { JsonObject } from "@bufbuild/protobuf";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { type Asset, AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { saveFile } from "../components/save-file.js";
import { useChapter } from "../i18n/words.js";
import { withValue } from "../options/change-options.js";
import { COMMON, readOptionSchema } from "../options/option-schema.js";
import { isJsonObject, optionsText } from "../options/read-options.js";
import { useAssets } from "../options/use-assets.js";
import { type UploadedFile, uploadFile } from "../service/uploads.js";
import { addElement } from "./add-item.js";
import type { DesignerState } from "./use-designer.js";

const UploadNote = lazily(() => import("../options/upload-note.js"), "UploadNote");

/** Identifies a file as a design. */
const KIND = "learning-credentials-design";
/** Maximum size. A design normally has a few kilobytes. */
const MAX_DESIGN_BYTES = 1_000_000;

/**
 * Accepts files that are selected or dropped anywhere on the designer. A picture is added to the page. An exported
 * design replaces the current one.
 */
export function DesignFiles({
  state,
  schema,
  children,
}: {
  readonly state: DesignerState;
  readonly schema: JsonObject;
  readonly children: ReactNode;
}) {
  const words = useChapter("designer");
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = useTakenFiles(state, schema);
  if (state.isReadOnly) return <div className="designer-desk">{children}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people who can't drop a file can select it below
    <div
      className="designer-desk"
      data-over={isOver}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take.mutate([...event.dataTransfer.files]);
      }}
    >
      {children}
      <section className="designer-files" aria-labelledby={`${id}-files`}>
        <h2 id={`${id}-files`}>{words.files}</h2>
        <p className="small faint">{words.dropHere}</p>
        <div className="designer-bar">
          <label className="button">
            {words.importFile}
            <input
              type="file"
              multiple
              className="away-from-view"
              accept="image/*,.json,.pdf,.ttf,.otf"
              onChange={({ currentTarget }) => {
                take.mutate([...(currentTarget.files ?? [])]);
                currentTarget.value = "";
              }}
            />
          </label>
          <Button
            onPress={() => {
              const design = { kind: KIND, options: designIn(state.options, schema) };
              saveFile("design.json", new Blob([optionsText(design)], { type: "application/json" }));
            }}
          >
            {words.exportFile}
          </Button>
        </div>
        {take.error?.message === words.notDesign ? (
          <p role="alert" className="fault">
            {words.notDesign}
          </p>
        ) : (
          take.error && <Failure error={take.error} />
        )}
        {take.data?.map((uploaded) => (
          <UploadNote key={uploaded.asset.slug} of={uploaded} />
        ))}
      </section>
    </div>
  );
}

/** Adds pictures to the page, and replaces the design with an exported one. Resolves to the uploaded files that were changed. */
function useTakenFiles(state: DesignerState, schema: JsonObject) {
  const words = useChapter("designer");
  const client = useQueryClient();
  const assets = useAssets();
  return useMutation({
    async mutationFn(files: readonly File[]) {
      let { options } = state;
      const there = [...(assets ?? [])];
      const changed: UploadedFile[] = [];
      for (const file of files) {
        if (/\.json$/i.test(file.name))
          options = withDesign(options, await readDesign(file, words.notDesign), schema);
        else {
          const uploaded = await uploadFile(file, there);
          const { asset } = uploaded;
          there.push(asset);
          if (uploaded.change) changed.push(uploaded);
          options = withAsset(options, asset, state);
          state.say(words.uploaded({ name: asset.slug }));
        }
      }
      state.change(options);
      return changed;
    },
    onSettled: () => client.invalidateQueries(),
  });
}

/** Returns the options that determine a document's appearance. */
function designIn(options: JsonObject, schema: JsonObject): JsonObject {
  const optionNames = new Set(readOptionSchema(schema).map(({ name }) => name));
  const entries = Object.entries(options).filter(([name]) => optionNames.has(name) && !COMMON.includes(name));
  return Object.fromEntries(entries);
}

function withDesign(options: JsonObject, design: JsonObject, schema: JsonObject): JsonObject {
  const names = Object.keys(designIn(options, schema));
  const others = Object.entries(options).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(others), ...designIn(design, schema) };
}

/** @throws Error with `problem` if the file is not a design */
async function readDesign(file: File, problem: string): Promise<JsonObject> {
  try {
    const read: unknown = file.size > MAX_DESIGN_BYTES ? undefined : JSON.parse(await file.text());
    if (isJsonObject(read) && read.kind === KIND && isJsonObject(read.options)) return read.options;
  } catch {
    // not valid JSON
  }
  throw new Error(problem);
}

/** Adds a picture above the name, sets a PDF as the background, or sets the font of all texts that have none. */
function withAsset(options: JsonObject, { slug, kind }: Asset, { layout, items }: DesignerState): JsonObject {
  if (kind === AssetKind.PDF) return withValue(options, "template", slug);
  if (kind === AssetKind.FONT) return withValue(options, "defaults.font", slug);
  return layout ? addElement(options, "image", { layout, items }, slug).options : options;
}
