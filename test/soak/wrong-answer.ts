/** A response that can't be true at any time between the request and its arrival. */
export class WrongAnswer extends Error {}

/** @throws WrongAnswer */
export function wrong(message: string): never {
  throw new WrongAnswer(message);
}
