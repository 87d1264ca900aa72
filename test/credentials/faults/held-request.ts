import type { Fault } from "../../files/s3/faulty-proxy.js";

/** A request to the store whose response is held back. */
export interface HeldRequest {
  readonly fault: Fault;
  /** Resolves when the response is held back. */
  readonly held: Promise<void>;
  /** Delivers the response, if the request was passed on to the store. */
  answer(): void;
}

/** @param isDone true if the store executes the request before its response is held back */
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
