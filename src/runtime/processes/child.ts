import cluster from "node:cluster";
import type { FromChild, FromParent } from "./messages.js";

/** The reason of the end of a process whose successor already serves. */
export class Retirement extends Error {
  override readonly name = "Retirement";

  constructor() {
    super("another process has taken over");
  }
}

/** Whether this is one of the processes that `serve --processes` has started. */
export function isChild(): boolean {
  return cluster.isWorker;
}

/** Tells the parent, which may be gone. */
export function notifyParent(message: FromChild): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

export function onParentMessage(listen: (message: FromParent) => void): void {
  process.on("message", listen);
}

/** Returns a signal that aborts when the parent ends this process, with a `Retirement` if it is replaced. */
export function stoppedByParent(): AbortSignal {
  const controller = new AbortController();
  onParentMessage(({ type }) => {
    if (type === "stop") controller.abort(new Error("the service stops"));
    if (type === "retire") controller.abort(new Retirement());
  });
  process.on("SIGHUP", () => {}); // A terminal sends it to all; the parent decides what it means.
  return controller.signal;
}
