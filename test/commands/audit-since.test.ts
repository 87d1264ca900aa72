import { Command } from "commander";
import { expect, test } from "vitest";
import { addCommand } from "#app/commands/audit.js";

test.each(["2026-02-30", "2026-02-30T06:00Z", "2026-13-01", "yesterday"])(
  "audit --since %s is refused",
  async (since) => {
    const program = new Command().exitOverride().configureOutput({ writeErr() {} });
    addCommand(program);
    for (const command of program.commands) command.exitOverride().configureOutput({ writeErr() {} });
    await expect(program.parseAsync(["audit", "--since", since], { from: "user" })).rejects.toThrow(
      "Write a date, or a time with its zone: 2026-11-22 or 2026-11-22T06:00Z.",
    );
  },
);
