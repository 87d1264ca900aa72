import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { createCalledByTables, dropFunctions } from "../functions/create-functions.js";
import { accounts } from "./001-schema/accounts.js";
import { assets } from "./001-schema/assets.js";
import { audit } from "./001-schema/audit.js";
import { badges } from "./001-schema/badges.js";
import { configurations } from "./001-schema/configurations.js";
import { connectors } from "./001-schema/connectors.js";
import { credentials } from "./001-schema/credentials.js";
import { erasure } from "./001-schema/erasure.js";
import { events } from "./001-schema/events.js";
import { figures } from "./001-schema/figures.js";
import { issuance } from "./001-schema/issuance.js";
import { jobs } from "./001-schema/jobs.js";
import { learners } from "./001-schema/learners.js";
import { lti } from "./001-schema/lti.js";
import { mails } from "./001-schema/mails.js";
import { operations } from "./001-schema/operations.js";
import { seals } from "./001-schema/seals.js";
import { service } from "./001-schema/service.js";
import { transparency } from "./001-schema/transparency.js";
import { wallets } from "./001-schema/wallets.js";
import { webhooks } from "./001-schema/webhooks.js";

/** In this order, because tables refer to earlier ones. */
const tables = [
  learners,
  configurations,
  assets,
  issuance,
  credentials,
  erasure,
  events,
  mails,
  figures,
  badges,
  seals,
  transparency,
  wallets,
  audit,
  accounts,
  webhooks,
  connectors,
  lti,
  jobs,
  operations,
  service,
].join("\n");

export async function up(knex: Knex): Promise<void> {
  await createCalledByTables(knex);
  await knex.raw(tables);
  await knex("erasure_key").insert({ key: randomBytes(32) });
  await knex("badge_secret").insert({ secret: randomBytes(32) });
}

export async function down(knex: Knex): Promise<void> {
  const names = [...tables.matchAll(/create table (\w+)/g)].map(([, name]) => name);
  await knex.raw(`drop table if exists ${names.join(", ")} cascade`);
  await dropFunctions(knex);
}
