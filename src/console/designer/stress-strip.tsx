import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { PageCanvas } from "../components/page-canvas.js";
import { usePaused } from "../components/use-paused.js";
import { useChapter, useFormats, useList } from "../i18n/words.js";
import { collisionsOf } from "./collisions.js";
import { type Item, itemsOf } from "./items.js";
import { collisionJudgements, type Judgement, judged, lacksLogo } from "./judged-text.js";
import { MissingLogo } from "./missing-logo.js";
import { nameOfItem } from "./name-item.js";
import type { Sample } from "./use-design-preview.js";
import type { DesignerState } from "./use-designer.js";
import { useLivePreview } from "./use-live-preview.js";
import "../style/tile.css";

/** Names and titles that are hard to print: long, short, right to left, with high and low marks, or on two lines. */
const LONG_NAME = "Maria Francisca Isabel Josefa Antónia Gertrudes Rita Joana de Bragança e Bourbon";
const DIFFICULT_SAMPLES = [
  { userFullName: "Li Na" },
  { userFullName: "فاطمة الزهراء بنت عبد الرحمن" },
  { userFullName: "प्रियंका चट्टोपाध्याय" },
  { userFullName: "ณัฐวุฒิ วงศ์สุวรรณ" },
  {
    learningContextName:
      "Foundations of Environmental and Resource Engineering\nfor Coastal and Estuarine Regions",
  },
];
/** Number of names of real learners to show as well. */
const REAL_NAME_COUNT = 3;
/** Samples are requested only after the design has been unchanged for this long, so they don't delay edits. */
const IDLE_MS = 800;
const MAX_PROBLEMS = 2;

/** Shows the design with names that are hard to print, and lists the problems of each. */
export function StressStrip({
  state,
  learningContextKey,
}: {
  readonly state: DesignerState;
  readonly learningContextKey: string | undefined;
}) {
  const words = useChapter("designer");
  const verdictOf = useVerdict(state.options);
  const { samples, realCount, isReady } = useSamples(learningContextKey);
  // The page itself is drawn first. Until then, samples would only delay the service and the browser.
  const isIdle = usePaused(!state.isDrawing, IDLE_MS) && !state.isDrawing;
  const request = { ...state.request, userFullName: "", learningContextName: "", samples } as PreviewRequest;
  const { shown } = useLivePreview(state.options, isReady && isIdle ? request : undefined);
  const [drawn, setDrawn] = useState({ answer: shown?.answer, count: 0 });
  const drawnCount = drawn.answer === shown?.answer ? drawn.count : 0;

  return (
    <section className="designer-stress" aria-label={words.stress}>
      <p className="small faint">{words.stressMeans}</p>
      {state.isNameless && (
        <p className="small" data-look="warn">
          {words.nameless}
        </p>
      )}
      {state.items.some(lacksLogo) && <MissingLogo />}
      <ul>
        {shown &&
          samples.map((sample, at) => {
            const { userFullName, learningContextName } = sample;
            const document = shown.answer.samples[at];
            const isShown = JSON.stringify(state.sample) === JSON.stringify(sample);
            return (
              <li key={userFullName || learningContextName}>
                <button
                  type="button"
                  className="tile"
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
                  {at < realCount && <span className="small faint">{words.longest}</span>}
                  {verdictOf(document?.layout).map(({ look, words: verdict }) => (
                    <span key={verdict} className="small" data-look={look}>
                      {verdict}
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

/** Returns a function that lists the worst problems of a page or, if it has none, says so. */
function useVerdict(options: JsonObject) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { colon, percent } = useFormats();
  const list = useList();
  return (layout: PreviewLayout | undefined): readonly Judgement[] => {
    if (!layout) return [];
    const nameOf = (item: Item) => nameOfItem(item, options, words, optionNames);
    const all = itemsOf(layout, options);
    const texts = all.flatMap((item) =>
      item.text && item.isPrinted
        ? [
            { verdict: judged(item.text, words, percent, list), item },
            ...collisionJudgements(collisionsOf(item, all, layout), nameOf, words, list).map((verdict) => ({
              verdict,
              item,
            })),
          ]
        : [],
    );
    const faults = texts.filter(({ verdict }) => verdict.look !== "good");
    if (faults.length === 0) return texts.slice(0, 1).map(({ verdict }) => verdict);
    faults.sort((one, other) => one.verdict.look.localeCompare(other.verdict.look));
    return faults.slice(0, MAX_PROBLEMS).map(({ verdict, item }) => ({
      look: verdict.look,
      words: `${nameOf(item)}${colon}${verdict.words}`,
    }));
  };
}

/** Returns names and titles that test a design. The first `realCount` are the longest names in the course. */
function useSamples(learningContextKey: string | undefined) {
  const found = useQuery(
    LearnerRecordService.method.listLongestNames,
    { learningContextKey: learningContextKey ?? "" },
    { enabled: learningContextKey !== undefined, staleTime: Number.POSITIVE_INFINITY },
  );
  const real = found.data?.fullNames.slice(0, REAL_NAME_COUNT) ?? [];
  const samples = [
    ...(real.length > 0 ? real : [LONG_NAME]).map((userFullName) => ({ userFullName })),
    ...DIFFICULT_SAMPLES,
  ].map((sample): Sample => ({ userFullName: "", learningContextName: "", ...sample }));
  return {
    samples,
    realCount: real.length,
    isReady: learningContextKey === undefined || !found.isPending,
  };
}
