import { type ComponentType, lazy, Suspense } from "react";

/** What nobody has fetched before it is shown. */
const waiting: (() => Promise<unknown>)[] = [];

/** Takes the next module to fetch before it is shown; undefined if there is none, for now. */
export function nextLazy(): (() => Promise<unknown>) | undefined {
  return waiting.shift();
}

/**
 * A component whose module is loaded when it is first shown, as dialogs are, which are large. Until then it shows
 * nothing.
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
