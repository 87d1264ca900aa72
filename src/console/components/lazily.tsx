import { type ComponentType, lazy, Suspense } from "react";
import { withTexts } from "../i18n/texts-in-advance.js";
import { createStore } from "../service/store.js";

/** How many components are being loaded because they are to be shown. */
export const loadingParts = createStore(0);

const waiting: (() => Promise<unknown>)[] = [];

/** Returns a function that loads one more component in advance; undefined if all are loaded. */
export function nextLazy(): (() => Promise<unknown>) | undefined {
  return waiting.shift();
}

/**
 * Returns a component whose module is loaded when the component is first shown. It renders nothing until then.
 * @param name name of the export that is the component
 */
export function lazily<N extends string, M extends Readonly<Record<N, ComponentType<never>>>>(
  load: () => Promise<M>,
  name: N,
): M[N] {
  waiting.push(load);
  const Loaded = lazy(async () => {
    loadingParts.set(loadingParts.get() + 1);
    try {
      return { default: (await withTexts(load))[name] as ComponentType<object> };
    } finally {
      loadingParts.set(loadingParts.get() - 1);
    }
  });
  function Shown(props: object) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  }
  return Shown as unknown as M[N];
}
