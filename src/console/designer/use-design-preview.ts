import type { JsonObject } from "@bufbuild/protobuf";
import { useState } from "react";
import { PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { isJsonObject } from "../options/read-options.js";
import { itemsOf } from "./items.js";
import { expected } from "./move-items.js";
import { useLivePreview } from "./use-live-preview.js";

/** The learner and context on the document. For empty values, the service uses its own sample. */
export interface Sample {
  readonly userFullName: string;
  readonly learningContextName: string;
}

/**
 * Returns the preview of a design, with the positions of its elements.
 * @param options the merged options of type and configuration
 * @param own the options that are being edited
 * @param isTrying whether something is being dragged
 */
export function useDesignPreview(
  options: JsonObject,
  own: JsonObject,
  isTrying: boolean,
  previewOf: (own: JsonObject) => PreviewRequest,
) {
  const [sample, setSample] = useState<Sample>({ userFullName: "", learningContextName: "" });
  const request: PreviewRequest = {
    ...previewOf(withoutNameless(own)),
    ...sample,
    stamp: PreviewStamp.CORNER,
    lenient: true,
  };
  const { shown, error, isPending } = useLivePreview(options, request);
  const [drawn, setDrawn] = useState<Uint8Array>();
  const layout = shown?.answer.layout;
  const pdf = shown?.answer.pdf;
  const laid = layout ? itemsOf(layout, shown.options) : [];
  /** Returns the items as they would be with these options, predicted from the last preview. */
  const itemsWith = (then: JsonObject) => (layout ? expected(laid, layout, shown.options, then) : []);
  return {
    sample,
    setSample,
    request,
    layout,
    pdf,
    error,
    itemsWith,
    items: itemsWith(options),
    setDrawn,
    /** Whether the page is outdated. */
    isDrawing: isPending || isTrying || (pdf !== undefined && drawn !== pdf),
    /** Whether a signatory has no name yet. Such a signatory is omitted from the preview. */
    isNameless: withoutNameless(options) !== options,
  };
}

export type PreviewState = ReturnType<typeof useDesignPreview>;

/** Removes signatories without a name, because the service can't generate a document with them. */
function withoutNameless(options: JsonObject): JsonObject {
  const { signatories } = options;
  if (!Array.isArray(signatories)) return options;
  const named = signatories.filter((each) => !isJsonObject(each) || each.name);
  return named.length === signatories.length ? options : { ...options, signatories: named };
}
