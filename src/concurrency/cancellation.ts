/**
 * How a call is ended early. It does what an AbortController does, whose signal takes some microseconds of a call's forty:
 * here it is made when somebody asks for it, and most calls end before.
 */
export class Cancellation {
  #isCancelled = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  /** Made when somebody listens. */
  #listeners: (() => void)[] | undefined;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Why; undefined while it is not aborted. */
  get reason(): unknown {
    return this.#reason;
  }

  /** For what takes nothing else, such as a timer or a statement. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason counts. */
  cancel(reason: unknown = new Error("cancelled")): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Calls `listener` when it aborts, or at once if it has. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener();
    else if (this.#listeners) this.#listeners.push(listener);
    else this.#listeners = [listener];
  }

  /** Takes a listener back. */
  offCancel(listener: () => void): void {
    const place = this.#listeners?.indexOf(listener) ?? -1;
    if (place >= 0) this.#listeners?.splice(place, 1);
  }

  throwIfCancelled(): void {
    if (this.#isCancelled) throw this.#reason;
  }
}

/** Settles as the promise does, or rejects as soon as it is aborted, so that nobody waits for work that does not listen. */
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
