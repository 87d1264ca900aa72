import { optionHelps } from "#gen/option-helps.js";
import { format, type Message } from "./message.js";

type OptionHelps = typeof optionHelps;
type Values<Id extends keyof OptionHelps> = OptionHelps[Id] extends (values: infer V) => string ? [V] : [];

/**
 * The English description of an option, and the ids of its messages in the console's catalogues, which have it in all
 * languages.
 */
type OptionHelp = {
  readonly description: string;
  readonly help: readonly { readonly id: string; readonly values?: object }[];
};

/** Returns the description with this id. Its English words are in the console's catalogue `helps`. */
export function help<Id extends keyof OptionHelps>(id: Id, ...[values]: Values<Id>): OptionHelp {
  const given = values as object | undefined;
  const message: unknown = optionHelps[id];
  return {
    description: format(message as string | Message<object>, given ?? {}),
    help: [given ? { id, values: given } : { id }],
  };
}

/** Combines several descriptions. Each is on its own line. */
export function helpLines(...lines: readonly OptionHelp[]): OptionHelp {
  return {
    description: lines.map(({ description }) => description).join("\n"),
    help: lines.flatMap((line) => line.help),
  };
}
