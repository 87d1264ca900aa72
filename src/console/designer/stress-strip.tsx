import { useQuery } from "@connectrpc/connect-query";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { usePaused } from "../components/use-paused.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { itemsOf } from "./items.js";
import { type Judgement, judged } from "./judged-text.js";
import { nameOfItem } from "./name-item.js";
import { PageCanvas } from "./page-canvas.js";
import type { DesignerState } from "./use-designer.js";
import { useLivePreview } from "./use-live-preview.js";

/** Names that are hard to set: a long one, from right to left, with marks above and below; and a title on two lines. */
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
/** Real names beside them. */
const REAL = 3;
/** Faults that are told of each. */
const TOLD = 2;

/** The design with names that are hard to set, each judged and shown: the longest of the course or path among them. */
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
  ].map((sample) => ({ userFullName: "", learningContextName: "", ...sample }));
  // What is being dragged is requested once it rests.
  const paused = usePaused(JSON.stringify({ ...state.request, userFullName: "", learningContextName: "" }));
  const isReady = learningContextKey === undefined || !found.isPending;
  const { shown } = useLivePreview(
    state.options,
    isReady && state.pdf ? { ...JSON.parse(paused), samples } : undefined,
  );
  if (!shown) return null;

  function verdictOf(at: number): readonly Judgement[] {
    const layout = shown?.answer.samples[at]?.layout;
    if (!layout) return [];
    const texts = itemsOf(layout, state.options).flatMap(({ text, isPrinted, ...item }) =>
      text && isPrinted ? [{ verdict: judged(text, words, percent), text, ...item }] : [],
    );
    const faults = texts.filter(({ verdict }) => verdict.look !== "good");
    if (faults.length === 0) return texts.slice(0, 1).map(({ verdict }) => verdict);
    const worst = faults.sort((one, other) => one.verdict.look.localeCompare(other.verdict.look));
    return worst.slice(0, TOLD).map(({ verdict, ...item }) => ({
      look: verdict.look,
      words: `${nameOfItem(item, state.options, words, optionNames)}: ${verdict.words}`,
    }));
  }

  return (
    <section className="designer-stress" aria-labelledby="designer-stress">
      <h2 id="designer-stress">{words.stress}</h2>
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
                {document && <PageCanvas pdf={document.pdf} label="" />}
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
