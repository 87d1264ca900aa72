import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  PreviewElementKind as Kind,
  type PreviewLayout,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { drawPdf } from "../rendering/draw-pdf.js";
import { readPdf } from "../rendering/read-pdf.js";
import { givenAcademy } from "../support/academy.js";

const academy = givenAcademy();

const LONG = "Maria Francisca de la Santísima Trinidad Fernández y González de Villanueva";

function typed(customOptions: JsonObject) {
  return {
    case: "credentialType" as const,
    value: {
      name: "Diploma",
      retrievalFunc: "learning_credentials.processors.retrieve_subsection_grades",
      generationFunc: "learning_credentials.generators.generate_pdf_credential",
      customOptions,
    },
  };
}

const at = (layout: PreviewLayout | undefined, option: string) =>
  layout?.elements.find((element) => element.option === option);

describe("the layout of a preview", () => {
  it("has the position of each text, as another program reads it", async () => {
    const { pdf, layout } = await academy.configurations.previewCredential({
      source: typed({
        text_elements: {
          motto: { text: "Per aspera", x: 100, y: 80, align: "left", size: 20, color: "#a00" },
          wide: { text: "Ad astra ad astra ad astra", y: 60, max_width: 60, size: 18 },
        },
      }),
      userFullName: "Zoë Quist",
    });
    const { items, width, height } = await readPdf(pdf);
    expect(layout).toMatchObject({ pageWidth: width, pageHeight: height });
    expect(at(layout, "text_elements.motto")?.text).toMatchObject({
      words: "Per aspera",
      x: 100,
      y: 80,
      align: "left",
      color: "#aa0000",
      requestedSize: 20,
      size: 20,
      lines: 1,
      shrunk: false,
      fonts: ["EBGaramond"],
    });
    for (const [option, text] of [
      ["text_elements.motto", "Per aspera"],
      ["text_elements.name", "Zoë Quist"],
    ]) {
      const found = items.find((item) => item.text === text);
      const { x = 0, width = 0, text: set } = at(layout, option as string) ?? {};
      expect(found?.left).toBeCloseTo(x, 1);
      expect(found?.right).toBeCloseTo(x + width, 0);
      expect(found?.baseline).toBeCloseTo(set?.baseline ?? 0, 1);
      expect(found?.size).toBeCloseTo(set?.size ?? 0, 1);
    }
    const wide = at(layout, "text_elements.wide");
    expect(wide?.text).toMatchObject({ room: 60, wrapped: true, shrunk: true });
    expect(wide?.width).toBeLessThanOrEqual(60);
    expect(at(layout, "qr")).toMatchObject({ kind: Kind.QR, width: 64, height: 64 });
    // The layout also contains texts that belong to the design, not to the options.
    expect(layout?.elements.map(({ text }) => text?.words)).toContain("Diploma");
  });

  it("reports the outcome of each sample, and refuses none", async () => {
    const options = {
      text_elements: { context: { size: 30, max_width: 400 }, grade: { text: "{grade}", y: 20 } },
    };
    const { pdf, layout, samples } = await academy.configurations.previewCredential({
      source: typed(options),
      userFullName: "Ada",
      samples: [
        { userFullName: LONG },
        { userFullName: "ꔀꔁ Quist" },
        { learningContextName: "Reading the Night Sky\nby Eye and by Instrument" },
        { userFullName: "عبد الرحمن بن محمد" },
      ],
      layoutOnly: true,
      lenient: true,
    });
    expect([pdf, ...samples.map((sample) => sample.pdf)].every(({ length }) => length === 0)).toBe(true);
    const names = [layout, ...samples.map((sample) => sample.layout)].map(
      (each) => at(each, "text_elements.name")?.text,
    );
    expect(names.map((text) => [text?.shrunk, text?.missing.join("")])).toEqual([
      [false, ""],
      [true, ""],
      [false, "ꔀꔁ"],
      [false, ""],
      [false, ""],
    ]);
    expect(names[1]?.requestedSize).toBe(48);
    expect(names[4]?.fonts).toEqual(["Amiri"]);
    expect(at(samples[2]?.layout, "text_elements.context")?.text).toMatchObject({ lines: 2, wrapped: false });
  });

  it("has texts with nothing to print, and sizes that no document would get", async () => {
    const { layout } = await academy.configurations.previewCredential({
      source: typed({
        text_elements: {
          until: { text: "{valid_until}", y: 70 },
          tiny: { text: "M".repeat(300), y: 9, max_width: 9 },
        },
      }),
      lenient: true,
      layoutOnly: true,
    });
    expect(at(layout, "text_elements.until")).toMatchObject({
      y: 70,
      width: 0,
      text: { words: "", lines: 0 },
    });
    expect(at(layout, "text_elements.tiny")?.text).toMatchObject({ unreadable: true });
  });
});

it("a stamp in the corner hides no part of the design", async () => {
  const pixelsOf = async (stamp: PreviewStamp) => {
    const { pdf } = await academy.configurations.previewCredential({ source: typed({}), stamp });
    const canvas = await drawPdf(pdf, 0.5);
    const { width, height } = canvas;
    return canvas.getContext("2d").getImageData(0, 15, width, height - 15).data;
  };
  const red = (pixels: Uint8ClampedArray) => {
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4)
      if ((pixels[at] ?? 0) > (pixels[at + 1] ?? 0) + 25 && (pixels[at] ?? 0) > 200) count++;
    return count;
  };
  expect(red(await pixelsOf(PreviewStamp.ACROSS))).toBeGreaterThan(1000);
  expect(red(await pixelsOf(PreviewStamp.CORNER))).toBe(0);
});

it.each([
  ["thirteen samples", { samples: Array.from({ length: 13 }, () => ({})) }, "samples: there are 13"],
  ["a sample too long", { samples: [{ userFullName: "n".repeat(256) }] }, "samples[0].user_full_name"],
])("%s are refused", async (_, request, message) => {
  const refused = academy.configurations
    .previewCredential({ source: typed({}), ...request })
    .catch((error) => ConnectError.from(error));
  expect(await refused).toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining(message),
  });
});

it("without leniency, a text that no font can print is refused, as for a document", async () => {
  const refused = academy.configurations
    .previewCredential({ source: typed({}), userFullName: "ꔀꔁ", layoutOnly: true })
    .catch((error) => ConnectError.from(error));
  expect(await refused).toMatchObject({ code: Code.FailedPrecondition });
});
