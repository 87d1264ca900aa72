import { optionHelps } from "#gen/option-helps.js";
import { format, type Message } from "./message.js";

type OptionHelps = typeof optionHelps;
type Values<Id extends keyof OptionHelps> = OptionHelps[Id] extends (values: infer V) => string ? [V] : [];

/**
 * What a JSON Schema says about an option: in English, and by ids, for which the console has messages in the
 * reader's language.
 */
export type OptionHelp = {
  readonly description: string;
  readonly help: readonly { readonly id: string; readonly values?: object }[];
};

/** Returns the help with this id, whose English words are in the console's catalogue `helps`. */
export function help<Id extends keyof OptionHelps>(id: Id, ...[values]: Values<Id>): OptionHelp {
  const given = values as object | undefined;
  const message: unknown = optionHelps[id];
  return {
    description: format(message as string | Message<object>, given ?? {}),
    help: [given ? { id, values: given } : { id }],
  };
}

/** Returns several helps as one, each on a line of its own. */
export function helpLines(...lines: readonly OptionHelp[]): OptionHelp {
  return {
    description: lines.map(({ description }) => description).join("\n"),
    help: lines.flatMap((line) => line.help),
  };
}
