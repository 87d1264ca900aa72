import type { Decoration } from "../pdf/marks.js";
import type { PdfObject } from "../pdf/pdf-object.js";
import { pdfNumber } from "../pdf/pdf-object.js";
import type { TextStyle } from "../text/text-lines.js";
import type { Piece } from "./blocks.js";
import { sealPaper } from "./built-in-paper.js";
import { prepareFacts } from "./fact-part.js";
import { placedPicture } from "./institution-assets.js";
import { type PartContext, type PartOptions, styleOf } from "./part-texts.js";
import type { PdfOptions } from "./pdf-options.js";
import type { WordsOf } from "./placeholders.js";
import type { SealWords } from "./seal-words.js";
import { decorationOf } from "./shapes.js";
import { prepareSignatures } from "./signature-part.js";
import { capitals } from "./text-words.js";

/** Logo, facts, signatures and seal, if the options place them. */
interface PageParts {
  /** Drawn before the texts, and therefore behind them. */
  readonly fixed: readonly Decoration[];
  readonly styles: readonly TextStyle[];
  pieces(wordsOf: WordsOf): Piece[];
}

/** @throws Problem `invalid` if an asset is missing or of the wrong kind */
export async function preparePageParts(options: PdfOptions, context: PartContext): Promise<PageParts> {
  const { logo, facts, signatures, seal } = options.places;
  const [logoPiece, sealMark, signaturePieces] = await Promise.all([
    logo && prepareLogo(logo, options.logo, context),
    seal && prepareSeal(seal, options.seal, context),
    signatures && prepareSignatures(signatures, options, context),
  ]);
  const factPiece = facts && prepareFacts(facts, options, context);
  return {
    fixed: sealMark ? [sealMark] : [],
    styles: [...(factPiece?.styles ?? []), ...(signaturePieces?.styles ?? [])],
    pieces: (wordsOf) => [
      ...(logoPiece ? [logoPiece] : []),
      ...(factPiece ? [factPiece.piece(wordsOf)] : []),
      ...(signaturePieces ? [signaturePieces.piece] : []),
    ],
  };
}

async function prepareLogo(
  partBox: PartOptions<"logo">,
  slug: string | undefined,
  context: PartContext,
): Promise<Piece> {
  const picture =
    slug === undefined
      ? undefined
      : await placedPicture(slug, partBox, partBox.align, { ...context, name: "Logo" });
  return {
    block: partBox.block,
    y: partBox.y,
    designed: { above: partBox.height, below: 0 },
    printed: picture && { above: picture.box.height, below: 0 },
    // A decoration, because the printed name already identifies the issuer.
    marks: picture ? [{ kind: "decoration", option: "places.logo", ...picture }] : [],
  };
}

async function prepareSeal(
  { x, y, size, color, look }: PartOptions<"seal">,
  slug: string | undefined,
  context: PartContext,
): Promise<Decoration | undefined> {
  if (slug !== undefined) {
    const picture = await placedPicture(slug, { x, y, width: size, height: size }, "center", {
      ...context,
      name: "Seal",
    });
    return { kind: "decoration", option: "places.seal", ...picture };
  }
  if (look === "none") return undefined;
  const { background } = await sealPaper(size, look, sealWordsOf(context), context.palette(color));
  const { operators, resources = [] } = decorationOf(background?.object as PdfObject, "Seal");
  return {
    kind: "decoration",
    option: "places.seal",
    box: { x, y, width: size, height: size },
    operators: `${[1, 0, 0, 1, x, y].map(pdfNumber).join(" ")} cm\n${operators}`,
    resources,
  };
}

export function sealWordsOf(context: PartContext): SealWords {
  const { platformName, language, typesetting } = context;
  return {
    text: capitals(platformName, language.tag),
    style: styleOf("EB Garamond Medium", context),
    keepsUpright: typesetting.keepsSealUpright,
  };
}
