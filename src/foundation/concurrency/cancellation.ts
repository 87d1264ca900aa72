/**
 * Like an AbortController, but creates the signal only when it is used. Most calls don't use the signal, and creating
 * it takes several of a call's forty microseconds.
 */
export class Cancellation {
  #isCancelled = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  /** Created when the first listener is added. */
  #listeners: (() => void)[] | undefined;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The reason passed to `cancel`; undefined before the cancellation. */
  get reason(): unknown {
    return this.#reason;
  }

  /** For APIs that need an AbortSignal, such as timers and statements. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Later calls have no effect. */
  cancel(reason: unknown = new Error("cancelled")): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Calls `listener` on cancellation, or immediately if already cancelled. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener();
    else if (this.#listeners) this.#listeners.push(listener);
    else this.#listeners = [listener];
  }

  offCancel(listener: () => void): void {
    const index = this.#listeners?.indexOf(listener) ?? -1;
    if (index >= 0) this.#listeners?.splice(index, 1);
  }

  throwIfCancelled(): void {
    if (this.#isCancelled) throw this.#reason;
  }
}

/** Settles like the promise, but rejects on cancellation. Use it for work that ignores cancellation. */
export function untilCancelled<T>(cancellation: Cancellation, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(cancellation.reason);
    cancellation.onCancel(leave);
    promise.then(
      (value) => {
        cancellation.offCancel(leave);
        resolve(value);
      },
      (error) => {
        cancellation.offCancel(leave);
        reject(error);
      },
    );
  });
}
