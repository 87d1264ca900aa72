/**
 * Cancels a call. It works like an AbortController, but creates the signal only when it is used. Creating a signal
 * takes several of a call's forty microseconds, and most calls end without using it.
 */
export class Cancellation {
  #isCancelled = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  /** Created with the first listener. */
  #listeners: (() => void)[] | undefined;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The reason of the cancellation; undefined before it. */
  get reason(): unknown {
    return this.#reason;
  }

  /** An AbortSignal for APIs that need one, such as timers and statements. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Cancels with this reason. Later calls have no effect. */
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

/**
 * Settles like the promise, but rejects as soon as the call is cancelled. Use it for work that ignores
 * cancellation.
 */
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
