import type { JsonObject } from "@bufbuild/protobuf";
import { useState } from "react";
import { PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { isObject } from "../options/read-options.js";
import { itemsOf } from "./items.js";
import { expected } from "./move-items.js";
import { useLivePreview } from "./use-live-preview.js";

/** The person on the document; an empty value means the service's sample. */
export interface Sample {
  readonly userFullName: string;
  readonly learningContextName: string;
}

/**
 * Returns the preview of a design, with the positions of its elements.
 * @param options the merged options
 * @param own the edited options
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
  /** Returns where items will be with other options than those of the present layout. */
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
    /** Whether the page is not up to date yet. */
    isDrawing: isPending || isTrying || (pdf !== undefined && drawn !== pdf),
    /** Whether a signatory has no name yet, and is left out of the preview. */
    isNameless: withoutNameless(options) !== options,
  };
}

export type DesignPreview = ReturnType<typeof useDesignPreview>;

/** Returns the options without nameless signatories, with whom no document could be generated. */
function withoutNameless(options: JsonObject): JsonObject {
  const { signatories } = options;
  if (!Array.isArray(signatories)) return options;
  const named = signatories.filter((each) => !isObject(each) || each.name);
  return named.length === signatories.length ? options : { ...options, signatories: named };
}
