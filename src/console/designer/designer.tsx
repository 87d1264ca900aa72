import { type KeyboardEvent, useState, useSyncExternalStore } from "react";
import { Toolbar } from "react-aria-components";
import {
  type Function as CredentialFunction,
  FunctionKind,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { ReactAriaLocale } from "../components/react-aria-locale.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { isObject } from "../options/read-options.js";
import { isBuiltIn } from "./add-item.js";
import { DesignFiles } from "./design-files.js";
import { AddItem, ItemList } from "./item-list.js";
import { Properties } from "./properties.js";
import { Stage } from "./stage.js";
import { StressStrip } from "./stress-strip.js";
import { type Designed, useDesigner } from "./use-designer.js";
import { usePlaceholders } from "./use-placeholders.js";
import "./designer.css";

/** Below this, neither fingers nor eyes would meet what is on the page. */
const wide = matchMedia("(min-width: 60rem)");

function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      wide.addEventListener("change", changed);
      return () => wide.removeEventListener("change", changed);
    },
    () => wide.matches,
  );
}

interface DesignerProps extends Designed {
  /** The course or path whose learners get it; undefined if there may be several. */
  readonly learningContextKey: string | undefined;
  /** The course or path whose results and attributes are offered as facts. */
  readonly factsOf: string | undefined;
  readonly functions: readonly CredentialFunction[];
  /** Undefined if there is nothing to undo. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

/** The page itself, with all that is on it: to select, move, change and add to. */
export function Designer(props: DesignerProps) {
  const words = useChapter("designer");
  const isWide = useIsWide();
  const generation = props.functions.find(({ kind }) => kind === FunctionKind.GENERATION);
  if (!isWide) return <p className="notice">{words.wider}</p>;
  return <Desk {...props} schema={isObject(generation?.optionSchema) ? generation.optionSchema : {}} />;
}

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3];

function Desk({
  schema,
  undo,
  redo,
  learningContextKey,
  factsOf,
  functions,
  ...designed
}: DesignerProps & { readonly schema: NonNullable<CredentialFunction["optionSchema"]> }) {
  const words = useChapter("designer");
  const { design } = useChapter("designing").views;
  const { percent } = useFormats();
  const state = useDesigner(designed);
  const retrievalFunc = functions.find(({ kind }) => kind === FunctionKind.RETRIEVAL)?.name ?? "";
  const [zoom, setZoom] = useState(1);
  const { layout, pdf, error, options, isReadOnly } = state;
  const placeholders = usePlaceholders(schema, retrievalFunc, factsOf);

  function steer(event: KeyboardEvent<HTMLElement>) {
    const isTyping = (event.target as HTMLElement).matches("input:not([type=checkbox]), textarea");
    if (isTyping || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    const act = key === "z" && !event.shiftKey ? undo : key === "y" || key === "z" ? redo : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  }

  return (
    <section className="designer" aria-label={design} onKeyDown={steer}>
      <ReactAriaLocale>
        <Toolbar className="designer-bar" aria-label={design}>
          <Button isDisabled={!undo} onPress={undo}>
            {words.undo}
          </Button>
          <Button isDisabled={!redo} onPress={redo}>
            {words.redo}
          </Button>
          {!isReadOnly && <AddItem state={state} placeholders={placeholders} />}
          <span className="designer-zoom">
            <Button
              aria-label={words.smaller}
              isDisabled={zoom === ZOOMS[0]}
              onPress={() => setZoom(ZOOMS[ZOOMS.indexOf(zoom) - 1] ?? zoom)}
            >
              −
            </Button>
            <span className="small">{percent(zoom)}</span>
            <Button
              aria-label={words.larger}
              isDisabled={zoom === ZOOMS.at(-1)}
              onPress={() => setZoom(ZOOMS[ZOOMS.indexOf(zoom) + 1] ?? zoom)}
            >
              +
            </Button>
          </span>
        </Toolbar>
      </ReactAriaLocale>
      {error !== undefined && <Failure error={error} />}
      {isBuiltIn(options) && (
        <div className="designer-note">
          <p>{words.builtIn}</p>
          {!isReadOnly && <Button onPress={() => state.set("paper", "#ffffff")}>{words.emptyPage}</Button>}
        </div>
      )}
      {pdf && !layout && <p>{words.noLayout}</p>}
      {pdf && layout && (
        <DesignFiles state={state} schema={schema}>
          <div className="designer-desk">
            <div className="designer-main">
              <div className="stage">
                <Stage state={state} layout={layout} pdf={pdf} zoom={zoom} />
              </div>
              <StressStrip state={state} learningContextKey={learningContextKey} />
            </div>
            <div className="designer-side">
              <h2>{words.items}</h2>
              <ItemList state={state} />
              <Properties state={state} schema={schema} placeholders={placeholders} />
            </div>
          </div>
        </DesignFiles>
      )}
      <p role="status" className="away-from-view">
        {state.said}
      </p>
    </section>
  );
}
