/** A list of results for a typed text, of which the user chooses one with Enter. */
export interface TypedSearch<R> {
  /** undefined while the list is closed. */
  readonly text: string | undefined;
  /** Whether the results are those for `text`. */
  readonly isCurrent: boolean;
  /** The result that Enter chooses; undefined if nothing was found. */
  readonly active: R | undefined;
}

/**
 * Remembers that Enter was pressed before the results for the typed text arrived. Forgets the key press when the user
 * types on or closes the list, so that nothing is chosen later.
 */
export class PendingEnter {
  #text: string | undefined;

  /** Records that Enter was pressed. Returns the result to choose now, if there is one. */
  press<R>({ text, isCurrent, active }: TypedSearch<R>): R | undefined {
    this.#text = isCurrent || !text?.trim() ? undefined : text;
    return isCurrent ? active : undefined;
  }

  /** Records a change of the search. Returns the result to choose now, if Enter was pressed for it. */
  update<R>({ text, isCurrent, active }: TypedSearch<R>): R | undefined {
    if (this.#text === undefined) return undefined;
    if (text === this.#text && !isCurrent) return undefined;
    const isPressed = text === this.#text;
    this.#text = undefined;
    return isPressed ? active : undefined;
  }
}
