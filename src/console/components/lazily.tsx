import { type ComponentType, lazy, Suspense } from "react";

/** Modules that have not been fetched yet. */
const waiting: (() => Promise<unknown>)[] = [];

/** Returns the next module to fetch in advance; undefined if there is none at the moment. */
export function nextLazy(): (() => Promise<unknown>) | undefined {
  return waiting.shift();
}

/**
 * A component whose module is loaded when it is first shown, for example a dialog, because these are large. It is empty
 * until then.
 * @param name of the component among the module's exports
 */
export function lazily<N extends string, M extends Readonly<Record<N, ComponentType<never>>>>(
  load: () => Promise<M>,
  name: N,
): M[N] {
  waiting.push(load);
  const Loaded = lazy(async () => ({ default: (await load())[name] as ComponentType<object> }));
  function Shown(props: object) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  }
  return Shown as unknown as M[N];
}
