import type { Renderer } from "#formats/rendering/engine/renderer.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { Metrics } from "./metrics.js";

export function instrumentedStore(store: FileStore, { storeCall }: Metrics): FileStore {
  const counted = <T>(operation: string, work: () => Promise<T>) =>
    measured(work, (isDone, seconds) => storeCall(operation, isDone ? "done" : "failed", seconds));
  return {
    ...store,
    check: (directory) => counted("check", () => store.check(directory)),
    put: (...put) => counted("put", () => store.put(...put)),
    move: (...move) => counted("move", () => store.move(...move)),
    delete: (key) => counted("delete", () => store.delete(key)),
    deleteDirectory: (directory) => counted("delete", () => store.deleteDirectory(directory)),
    read: (key) => counted("read", () => store.read(key)),
    stream: (key) => counted("read", () => store.stream(key)),
  };
}

/** Counts generated documents. Previews are not counted. */
export function instrumentedRenderer(renderer: Renderer, { document }: Metrics): Renderer {
  return {
    ...renderer,
    render: (...task) =>
      measured(
        () => renderer.render(...task),
        (isDone, seconds) => document(isDone ? "made" : "failed", seconds),
      ),
  };
}

export function instrumentedMailer(mailer: Mailer, { email: count }: Metrics): Mailer {
  return {
    ...mailer,
    async send(email) {
      try {
        const outcome = await mailer.send(email);
        count(outcome.outcome);
        return outcome;
      } catch (error) {
        count("failed");
        throw error;
      }
    },
  };
}

/** Runs the work, then calls `end` with whether it succeeded and with its duration in seconds. */
async function measured<T>(
  work: () => Promise<T>,
  end: (isDone: boolean, seconds: number) => void,
): Promise<T> {
  const started = performance.now();
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    end(isDone, (performance.now() - started) / 1000);
  }
}
