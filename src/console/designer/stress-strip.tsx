import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { usePaused } from "../components/use-paused.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { collisionsOf } from "./collisions.js";
import { type Item, itemsOf } from "./items.js";
import { collisionJudgements, type Judgement, judged } from "./judged-text.js";
import { nameOfItem } from "./name-item.js";
import { PageCanvas } from "./page-canvas.js";
import type { Sample } from "./use-design-preview.js";
import type { DesignerState } from "./use-designer.js";
import { useLivePreview } from "./use-live-preview.js";

/** Names that are hard to print: long, from right to left, with marks above and below; and a title on two lines. */
const LONG = "Maria Francisca Isabel Josefa Antónia Gertrudes Rita Joana de Bragança e Bourbon";
const HARD = [
  { userFullName: "Li Na" },
  { userFullName: "فاطمة الزهراء بنت عبد الرحمن" },
  { userFullName: "प्रियंका चट्टोपाध्याय" },
  { userFullName: "ณัฐวุฒิ วงศ์สุวรรณ" },
  {
    learningContextName:
      "Foundations of Environmental and Resource Engineering\nfor Coastal and Estuarine Regions",
  },
];
/** Number of real names shown with them. */
const REAL = 3;
/**
 * How long the design must rest before samples are drawn, in milliseconds. Most edits follow each other more quickly,
 * and are not delayed.
 */
const REST_MS = 800;
/** Maximum number of problems shown for each sample. */
const MOST_SHOWN = 2;

/**
 * The design with names that are hard to print, each with its problems, including the longest names in the course or
 * path.
 */
export function StressStrip({
  state,
  learningContextKey,
}: {
  readonly state: DesignerState;
  readonly learningContextKey: string | undefined;
}) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { percent } = useFormats();
  const method = LearnerRecordService.method.listLongestNames;
  const found = useQuery(
    method,
    { learningContextKey: learningContextKey ?? "" },
    { enabled: learningContextKey !== undefined, staleTime: Number.POSITIVE_INFINITY },
  );
  const real = found.data?.fullNames.slice(0, REAL) ?? [];
  const samples = [
    ...(real.length > 0 ? real : [LONG]).map((userFullName) => ({ userFullName })),
    ...HARD,
  ].map((sample): Sample => ({ userFullName: "", learningContextName: "", ...sample }));
  // The page itself is drawn first: until then, samples must not use the service's and the browser's time.
  const isIdle = usePaused(!state.isDrawing, REST_MS) && !state.isDrawing;
  const isReady = learningContextKey === undefined || !found.isPending;
  const request = { ...state.request, userFullName: "", learningContextName: "", samples } as PreviewRequest;
  const { shown } = useLivePreview(state.options, isReady && isIdle ? request : undefined);
  const [drawn, setDrawn] = useState({ answer: shown?.answer, count: 0 });
  const drawnCount = drawn.answer === shown?.answer ? drawn.count : 0;
  if (!shown) return null;

  function verdictOf(at: number): readonly Judgement[] {
    const layout = shown?.answer.samples[at]?.layout;
    if (!layout) return [];
    const nameOf = (item: Item) => nameOfItem(item, state.options, words, optionNames);
    const all = itemsOf(layout, state.options);
    const texts = all.flatMap((item) =>
      item.text && item.isPrinted
        ? [
            { verdict: judged(item.text, words, percent), item },
            ...collisionJudgements(collisionsOf(item, all, layout), nameOf, words).map((verdict) => ({
              verdict,
              item,
            })),
          ]
        : [],
    );
    const faults = texts.filter(({ verdict }) => verdict.look !== "good");
    if (faults.length === 0) return texts.slice(0, 1).map(({ verdict }) => verdict);
    const worst = faults.sort((one, other) => one.verdict.look.localeCompare(other.verdict.look));
    return worst.slice(0, MOST_SHOWN).map(({ verdict, item }) => ({
      look: verdict.look,
      words: `${nameOf(item)}: ${verdict.words}`,
    }));
  }

  return (
    <section className="designer-stress" aria-label={words.stress}>
      <p className="small faint">{words.stressMeans}</p>
      {state.isNameless && (
        <p className="small" data-look="warn">
          {words.nameless}
        </p>
      )}
      <ul>
        {samples.map((sample, at) => {
          const { userFullName, learningContextName } = sample;
          const document = shown.answer.samples[at];
          const isShown = JSON.stringify(state.sample) === JSON.stringify(sample);
          return (
            <li key={userFullName || learningContextName}>
              <button
                type="button"
                aria-pressed={isShown}
                onClick={() =>
                  state.setSample(isShown ? { userFullName: "", learningContextName: "" } : sample)
                }
              >
                {document && (
                  <PageCanvas
                    pdf={document.pdf}
                    label=""
                    isHeld={!isIdle || at > drawnCount}
                    onDrawn={() => setDrawn({ answer: shown.answer, count: Math.max(drawnCount, at + 1) })}
                  />
                )}
                <bdi className="small">{userFullName || learningContextName}</bdi>
                {at < real.length && <span className="small faint">{words.longest}</span>}
                {verdictOf(at).map(({ look, words: said }) => (
                  <span key={said} className="small" data-look={look}>
                    {said}
                  </span>
                ))}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
