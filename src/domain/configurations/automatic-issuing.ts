import { z } from "zod";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { execute, type Knex, queryValues } from "#infrastructure/db/query.js";
import { markContextsChanged } from "../learners/changed-contexts.js";
import type { CredentialConfiguration, CredentialType } from "./credential-type.js";
import { ISSUE_WHEN_EARNED } from "./issue-when-earned-option.js";
import { heldConfigurations } from "./requirement-links.js";
import { refuseIssuing, type ScheduleEditor } from "./schedules/editor.js";

const isOn = z.literal(true);

/**
 * Stores which configurations issue automatically, and schedules a check of all their learners.
 * @throws Problem `permission-denied` if one of them issues automatically but the editor may not issue
 */
export async function keepAutomaticIssuing(
  transaction: Knex.Transaction,
  type: Pick<CredentialType, "customOptions">,
  configurations: readonly CredentialConfiguration[],
  editor: ScheduleEditor,
): Promise<void> {
  const automatic = configurations.filter(
    ({ customOptions }) =>
      isOn.safeParse(mergeOptions(type.customOptions, customOptions)[ISSUE_WHEN_EARNED]).success,
  );
  if (automatic.length > 0)
    refuseIssuing(
      editor,
      `With ${ISSUE_WHEN_EARNED}, this change issues credentials, so it`,
      `custom_options.${ISSUE_WHEN_EARNED}`,
    );
  await execute(
    transaction,
    "delete from automatic_configurations where configuration_id = any (?::integer[])",
    [configurations.map(({ id }) => id)],
  );
  if (automatic.length === 0) return;
  await execute(
    transaction,
    "insert into automatic_configurations (configuration_id) select unnest(?::integer[])",
    [automatic.map(({ id }) => id)],
  );
  await markContextsChanged(
    transaction,
    automatic.map(({ learningContextKey }) => learningContextKey),
  );
}

/** Lists the configurations that issue automatically and depend on results in this course or path. */
export async function automaticConfigurationsFor(db: Knex, contextKey: string): Promise<number[]> {
  return queryValues<number>(
    db,
    `select configuration.id
     from automatic_configurations join credential_configurations configuration on configuration.id = configuration_id
     where configuration.learning_context_key = :contextKey
       or exists (
         select from learning_paths path
         where path.path_key = configuration.learning_context_key and not path.is_deleted
           and path.step_course_keys @> array[:contextKey::text]
       )
       or exists (
         select from requirement_links link where link.configuration_id = configuration.id
           and link.context_key = :contextKey and link.held_type_id is null
       )
     order by configuration.id`,
    { contextKey },
  );
}

/** Lists the configurations that issue automatically and require credentials of these configurations. */
export async function automaticConfigurationsHolding(
  db: Knex,
  configurationIds: readonly number[],
): Promise<number[]> {
  return queryValues<number>(
    db,
    `select distinct held.configuration_id as id
     from ${heldConfigurations} as held join automatic_configurations using (configuration_id)
     where held.held_id = any (?::integer[]) order by id`,
    [configurationIds],
  );
}
