import type { Fault } from "../../files/s3/faulty-proxy.js";

/** A request to the store that gets no answer. */
export interface HeldRequest {
  readonly fault: Fault;
  /** Resolves when it is held. */
  readonly held: Promise<void>;
  /** Has it answered, if it was passed on to the store. */
  answer(): void;
}

/** @param isDone whether the store does what was asked before the answer is held back */
export function holdRequest(isDone: boolean): HeldRequest {
  let reach = () => {};
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return {
    held,
    answer,
    async fault({ forward, response }) {
      if (!isDone) return reach();
      const { status, headers, body } = await forward();
      reach();
      await answered;
      response.writeHead(status, headers).end(body);
    },
  };
}
