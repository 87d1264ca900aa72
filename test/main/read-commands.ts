import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { ROOT } from "./program.js";

/**
 * Returns the options of each command, such as `run` and `run watch`, the options of all commands together, and the
 * help text of each command.
 */
export async function readCommands() {
  const program = new Command();
  for (const name of await readdir(join(ROOT, "src/app/commands"))) {
    const module = await import(pathToFileURL(join(ROOT, "src/app/commands", name)).href);
    module.addCommand?.(program);
  }
  const commands = new Map<string, Set<string>>();
  const takesArguments = new Set<string>();
  const helps: { path: string; text: string }[] = [];
  const visit = (command: Command, before: readonly string[]) => {
    for (const each of command.commands) {
      const path = [...before, each.name()];
      if (each.registeredArguments.length > 0) takesArguments.add(path.join(" "));
      each.configureOutput({ writeOut: (text) => helps.push({ path: path.join(" "), text }) }).outputHelp();
      commands.set(path.join(" "), new Set(each.options.flatMap(({ long }) => long ?? [])).add("--help"));
      visit(each, path);
    }
  };
  visit(program, []);
  const options = new Set([...commands.values()].flatMap((each) => [...each])).add("--version");
  return { commands, options, takesArguments, helps };
}
