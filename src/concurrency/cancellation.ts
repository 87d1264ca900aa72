/**
 * How a call is ended early. It does what an AbortController does, whose signal takes some microseconds of a call's forty:
 * here it is made when somebody asks for it, and most calls end before.
 */
export class Cancellation {
  #isAborted = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  /** Made when somebody listens. */
  #listeners: (() => void)[] | undefined;

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Why; undefined while it is not aborted. */
  get reason(): unknown {
    return this.#reason;
  }

  /** For what takes nothing else, such as a timer or a statement. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason counts. */
  abort(reason: unknown = new Error("aborted")): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Calls `listener` when it aborts, or at once if it has. */
  onAbort(listener: () => void): void {
    if (this.#isAborted) listener();
    else if (this.#listeners) this.#listeners.push(listener);
    else this.#listeners = [listener];
  }

  /** Takes a listener back. */
  offAbort(listener: () => void): void {
    const place = this.#listeners?.indexOf(listener) ?? -1;
    if (place >= 0) this.#listeners?.splice(place, 1);
  }

  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }
}

/** Settles as the promise does, or rejects as soon as it is aborted, so that nobody waits for work that does not listen. */
export function untilAborted<T>(cancellation: Cancellation, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancellation.reason);
    cancellation.onAbort(onAbort);
    promise.then(
      (value) => {
        cancellation.offAbort(onAbort);
        resolve(value);
      },
      (error) => {
        cancellation.offAbort(onAbort);
        reject(error);
      },
    );
  });
}
