import type { JsonObject } from "@bufbuild/protobuf";
import { useState } from "react";
import { PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { isObject } from "../options/read-options.js";
import { itemsOf } from "./items.js";
import { expected } from "./move-items.js";
import { useLivePreview } from "./use-live-preview.js";

/** Whose document is shown; what is empty is a sample of the service. */
export interface Sample {
  readonly userFullName: string;
  readonly learningContextName: string;
}

/**
 * The document of a design, and where everything lies on it.
 * @param options what the options come to
 * @param own those that are edited
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
  /** Where everything will lie with other options than those that are laid out. */
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
    /** Whether the page does not show yet what it should. */
    isDrawing: isPending || isTrying || (pdf !== undefined && drawn !== pdf),
    /** Whether a signatory has no name yet, and is left out of the preview. */
    isNameless: withoutNameless(options) !== options,
  };
}

export type DesignPreview = ReturnType<typeof useDesignPreview>;

/** Without those who sign and have no name yet: no document is made with one. */
function withoutNameless(options: JsonObject): JsonObject {
  const { signatories } = options;
  if (!Array.isArray(signatories)) return options;
  const named = signatories.filter((each) => !isObject(each) || each.name);
  return named.length === signatories.length ? options : { ...options, signatories: named };
}
