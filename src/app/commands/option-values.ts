import { InvalidArgumentError } from "commander";

/** Returns a parser for an option whose value must be one of these words. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`It must be one of ${words.join(", ")}.`);
  };
}

/** Parses an option that may be repeated. */
export function several<Value>(
  read: (text: string) => Value,
): (text: string, before?: readonly Value[]) => readonly Value[] {
  return (text, before = []) => [...before, read(text)];
}

export function rowNumber(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a row number, 1 or greater.");
}
