import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  type Function as CredentialFunction,
  FunctionKind,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { isJsonObject } from "../options/read-options.js";
import { AddItem } from "./add-bar.js";
import { isBuiltInDesign, isWithoutName } from "./add-item.js";
import { DesignFiles } from "./design-files.js";
import { ItemList } from "./item-list.js";
import { Properties } from "./properties.js";
import { Stage } from "./stage.js";
import { StressStrip } from "./stress-strip.js";
import { useClipboard } from "./use-clipboard.js";
import { type DesignerState, useDesigner } from "./use-designer.js";
import type { Designed } from "./use-edited-options.js";
import { useKeptFocus } from "./use-kept-focus.js";
import { usePlaceholders } from "./use-placeholders.js";
import { useZoom, type Zoom } from "./use-zoom.js";
import "./designer.css";

const ItemMenu = lazily(() => import("./item-menu.js"), "ItemMenu");

interface DesignerProps extends Designed {
  /** The course or path whose learners get the credential; undefined if there may be several. */
  readonly learningContextKey: string | undefined;
  /** The course or path whose results and attributes are offered as facts. */
  readonly factsOf: string | undefined;
  readonly functions: readonly CredentialFunction[];
}

/** The document page. Users select, move, change and add its elements. */
export function Designer({ learningContextKey, factsOf, functions, ...designed }: DesignerProps) {
  const words = useChapter("designer");
  const { design } = useChapter("designing").views;
  const functionOf = (wanted: FunctionKind) => functions.find(({ kind }) => kind === wanted);
  const optionSchema = functionOf(FunctionKind.GENERATION)?.optionSchema;
  const schema = isJsonObject(optionSchema) ? optionSchema : {};
  const placeholders = usePlaceholders(schema, functionOf(FunctionKind.RETRIEVAL)?.name ?? "", factsOf);
  const state = useDesigner(designed);
  const stage = useRef<HTMLDivElement>(null);
  const zoom = useZoom(stage);
  const { layout, pdf, isReadOnly, items, selected } = state;
  useClipboard(
    state,
    items.filter(({ path }) => selected.includes(path)),
  );
  return (
    <section className="designer" aria-label={design} {...useKeptFocus()}>
      <div className="designer-bar">
        {!isReadOnly && <AddItem state={state} placeholders={placeholders} />}
      </div>
      <Notes state={state} />
      <DesignFiles state={state} schema={schema}>
        <div className="designer-layers">
          {layout && (
            <>
              <h2>{words.items}</h2>
              <ItemList state={state} />
            </>
          )}
        </div>
        <div className="designer-main" aria-busy={state.isDrawing}>
          <div className="progress-line" data-active={state.isDrawing} />
          <div className="designer-view">
            <div className="stage" ref={stage}>
              {pdf && layout ? (
                <Stage state={state} layout={layout} pdf={pdf} zoom={zoom.zoom} />
              ) : (
                !pdf && state.error === undefined && <p className="stage-waiting">{words.drawing}</p>
              )}
            </div>
            {layout && <ZoomButtons zoom={zoom} hasSelection={state.selected.length > 0} />}
          </div>
          {layout && <Samples state={state} learningContextKey={learningContextKey} />}
        </div>
        {layout && <Properties state={state} schema={schema} placeholders={placeholders} />}
      </DesignFiles>
      {!isReadOnly && state.menuAt && <ItemMenu state={state} at={state.menuAt} />}
      <p role="status" className="away-from-view">
        {state.announcement}
      </p>
    </section>
  );
}

/** Shows errors in the design, and what has to be done before it can be edited visually. */
function Notes({ state }: { readonly state: DesignerState }): ReactNode {
  const words = useChapter("designer");
  const { layout, pdf, error, options, isReadOnly } = state;
  return (
    <div className="designer-notes">
      {error !== undefined && <Failure error={error} />}
      {isBuiltInDesign(options) && (
        <div className="designer-note">
          <p>{words.builtIn}</p>
          {!isReadOnly && <Button onPress={() => state.set("paper", "#ffffff")}>{words.emptyPage}</Button>}
        </div>
      )}
      {pdf && !layout && <p>{words.noLayout}</p>}
      {layout && isWithoutName(options) && <p data-look="warn">{words.noName}</p>}
    </div>
  );
}

function ZoomButtons({ zoom, hasSelection }: { readonly zoom: Zoom; readonly hasSelection: boolean }) {
  const words = useChapter("designer");
  const { percent } = useFormats();
  return (
    <span className="designer-zoom">
      <Button aria-label={words.smaller} isDisabled={!zoom.smaller} onPress={zoom.smaller}>
        −
      </Button>
      <span className="small">{percent(zoom.zoom)}</span>
      <Button aria-label={words.larger} isDisabled={!zoom.larger} onPress={zoom.larger}>
        +
      </Button>
      <Button variant="quiet" onPress={zoom.fit}>
        {words.fitPage}
      </Button>
      <Button variant="quiet" why={hasSelection ? undefined : words.selectOne} onPress={zoom.toSelection}>
        {words.toSelection}
      </Button>
    </span>
  );
}

/** Windows of at least this height have room for the samples below the page. */
const TALL_WINDOW = "(min-height: 46rem)";

/** Previews of the design with other names. They are drawn only while this section is open. */
function Samples({
  state,
  learningContextKey,
}: {
  readonly state: DesignerState;
  readonly learningContextKey: string | undefined;
}) {
  const words = useChapter("designer");
  const [isOpen, setOpen] = useState(() => matchMedia(TALL_WINDOW).matches);
  useEffect(() => {
    const roomy = matchMedia(TALL_WINDOW);
    const follow = () => setOpen(roomy.matches);
    roomy.addEventListener("change", follow); // also fires when the browser's zoom changes
    return () => roomy.removeEventListener("change", follow);
  }, []);
  return (
    <details
      className="designer-samples"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>{words.stress}</summary>
      {isOpen && <StressStrip state={state} learningContextKey={learningContextKey} />}
    </details>
  );
}
