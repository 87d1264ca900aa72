import type { Previewed } from "#domain/credentials/generation/preview-credential.js";
import { PreviewElementKind } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { numbersByName } from "../requests/parse-enum.js";

const kinds = numbersByName(PreviewElementKind);

export function presentPreview({ pdf, layout }: Previewed) {
  return {
    pdf: pdf ?? new Uint8Array(),
    ...(layout && {
      layout: {
        pageWidth: layout.page.width,
        pageHeight: layout.page.height,
        margin: layout.margin,
        mirrored: layout.mirrored,
        drawnWidth: layout.drawnFor.width,
        drawnHeight: layout.drawnFor.height,
        elements: layout.elements.map(presentElement),
      },
    }),
  };
}

function presentElement({
  option = "",
  kind,
  box,
  text,
}: NonNullable<Previewed["layout"]>["elements"][number]) {
  return {
    option,
    kind: kinds[kind],
    ...box,
    ...(text && {
      text: {
        ...text,
        room: text.room ?? 0,
        font: text.font ?? "",
        fonts: [...text.fonts],
        missing: [...text.missing],
      },
    }),
  };
}
