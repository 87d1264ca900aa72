import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService, PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../components/button.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { Dialog } from "../components/dialog.js";
import { Failure } from "../components/failure.js";
import { PageCanvas } from "../components/page-canvas.js";
import { useChapter, useWords } from "../i18n/words.js";
import { UploadArea } from "../options/upload-area.js";

/** In points: the width and height of an A4 page, and the height of a row with a font's name and sample. */
const [WIDTH, HEIGHT, ROW] = [595.28, 841.89, 42];
const ROWS = 20;
const FONTS = [AssetKind.FONT];

export function FontDialog({
  label,
  fonts,
  sample,
  request,
  onChoose,
  onClose,
}: {
  readonly label: string;
  readonly fonts: readonly string[];
  readonly sample: string;
  readonly request: PreviewRequest;
  readonly onChoose: (font: string) => void;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const sheets = Array.from({ length: Math.ceil(fonts.length / ROWS) }, (_, at) =>
    fonts.slice(at * ROWS, (at + 1) * ROWS),
  );
  return (
    <Dialog title={label} isWide onClose={onClose}>
      <UploadArea kinds={FONTS} onUploaded={onChoose}>
        {sheets.map((sheet) => (
          <FontSheet key={sheet[0]} fonts={sheet} sample={sample} request={request} onChoose={onChoose} />
        ))}
      </UploadArea>
      <div className="actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
      </div>
    </Dialog>
  );
}

function FontSheet({
  fonts,
  sample,
  request: { source },
  onChoose,
}: {
  readonly fonts: readonly string[];
  readonly sample: string;
  readonly request: PreviewRequest;
  readonly onChoose: (font: string) => void;
}) {
  const words = useChapter("designer");
  const type = source?.case === "credentialType" ? source.value : undefined;
  const { data, error } = useQuery(
    ConfigurationService.method.previewCredential,
    {
      source: { case: "credentialType", value: { ...type, customOptions: sampleOptions(fonts, sample) } },
      stamp: PreviewStamp.CORNER,
      lenient: true,
    },
    { enabled: type !== undefined, gcTime: 0 },
  );
  if (error) return <Failure error={error} />;
  return (
    <div className="font-sheet" style={{ aspectRatio: `${WIDTH} / ${fonts.length * ROW}` }}>
      {data && <PageCanvas pdf={data.pdf} label="" />}
      {fonts.map((font, at) => (
        <button
          key={font}
          type="button"
          aria-label={words.inFont({ font })}
          style={{ insetBlockStart: `${(at / fonts.length) * 100}%`, blockSize: `${100 / fonts.length}%` }}
          onClick={() => onChoose(font)}
        />
      ))}
    </div>
  );
}

/** Returns the options of a design with two lines for each font: the font's name, and the sample in that font. */
function sampleOptions(fonts: readonly string[], sample: string): JsonObject {
  const plain = (text: string) => text.replace(/[{}]/g, "$&$&");
  const text = (words: string, y: number, size: number, font?: string) => ({
    text: plain(words),
    x: 24,
    y: Math.round(y),
    size,
    align: "left",
    max_width: 480,
    max_lines: 1,
    ...(font ? { font } : { color: "#555555" }),
  });
  const rows = fonts.flatMap((font, at) => [
    [`label_${at}`, text(font, HEIGHT - at * ROW - 13, 8)],
    [`sample_${at}`, text(sample, HEIGHT - at * ROW - 34, 18, font)],
  ]);
  return {
    paper: "#ffffff",
    page: { orientation: "portrait" },
    qr: false,
    text_elements: { name: false, context: false, date: false, ...Object.fromEntries(rows) },
  };
}
