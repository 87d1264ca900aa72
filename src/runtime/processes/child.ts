import cluster from "node:cluster";
import type { FromChild, FromParent } from "./messages.js";

/** Reason for ending a process whose successor is already serving. */
export class Retirement extends Error {
  override readonly name = "Retirement";

  constructor() {
    super("another process has replaced this one");
  }
}

/** Returns whether this process was started by `serve --processes`. */
export function isChild(): boolean {
  return cluster.isWorker;
}

/** Sends a message to the parent if it still exists. */
export function notifyParent(message: FromChild): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

export function onParentMessage(listen: (message: FromParent) => void): void {
  process.on("message", listen);
}

/** Aborts when the parent ends this process, with a `Retirement` if the process is being replaced. */
export function stoppedByParent(): AbortSignal {
  const controller = new AbortController();
  onParentMessage(({ type }) => {
    if (type === "stop") controller.abort(new Error("the service stops"));
    if (type === "retire") controller.abort(new Retirement());
  });
  // The terminal also sends SIGHUP to the child processes, but the parent decides what to do.
  process.on("SIGHUP", () => {});
  return controller.signal;
}
