import { Problem } from "#foundation/errors.js";
import { CONNECTOR } from "#infrastructure/identity/actors.js";
import { eraseLearner } from "../../credentials/erasure/erase-learner.js";
import { findErasableBy, noteRetired } from "../../learners/connector-clashes.js";
import { findErased } from "../../learners/erased-learners.js";
import { findOwnedElsewhere, ownerOf } from "../../learners/owners.js";
import type { RecordPage } from "../driver/driver.js";
import type { Sweep } from "./sweep.js";

export async function eraseRetired(sweep: Sweep, page: RecordPage): Promise<void> {
  const { settings, storage, ledger } = sweep;
  const gone = settings.erase === "retired" ? (page.gone ?? []) : [];
  if (gone.length === 0) return;
  const names = gone.map(({ username }) => username);
  const erased = await storage.query((db) => findErased(db, names));
  const erasable = await storage.query((db) => findErasableBy(db, settings.id, names));
  for (const { username, since } of gone) {
    const at = erased.get(username);
    if (at !== undefined && new Date(at) >= since) continue;
    if (!erasable.has(username)) {
      await refuseErasure(sweep, username);
      continue;
    }
    const isErased = await erase(sweep, username);
    await storage.forget(username);
    if (isErased) ledger.tally.retired = (ledger.tally.retired ?? 0) + 1;
  }
}

async function refuseErasure({ settings, storage, ledger }: Sweep, username: string): Promise<void> {
  const [owned] = await storage.query((db) => findOwnedElsewhere(db, ownerOf(settings.id), [username]));
  if (!owned) return; // no other source has a record of the learner
  ledger.tally["learner.clashing"] = (ledger.tally["learner.clashing"] ?? 0) + 1;
  await storage.query((db) => noteRetired(db, settings.id, username));
}

/** Erases a learner. Returns false if there was nothing to erase. */
async function erase(sweep: Sweep, username: string): Promise<boolean> {
  try {
    const dryRun = sweep.options.dryRun ?? false;
    await eraseLearner(sweep, { username, dryRun, erasedBy: CONNECTOR }, sweep.signal);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.kind === "not-found") return false;
    throw error;
  }
}
