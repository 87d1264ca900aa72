import { failedPrecondition } from "#foundation/errors.js";
import { isBlank } from "#foundation/text/plain-line.js";
import { type Knex, queryRow } from "#infrastructure/db/query.js";
import { type IssuingBrand, issuingBrandSql } from "../../brands/brand.js";
import type { ClaimMode } from "../../configurations/credential-type.js";
import type { Options } from "../../configurations/options.js";
import { noSuchLearner } from "../../learners/no-such-learner.js";
import { organisationIn } from "../../learners/organisations.js";
import { printedNameSql } from "../../learners/printed-name.js";

export interface IssuanceInputs {
  readonly learningContextKey: string;
  /** Null if the context has no record. */
  readonly learningContextName: string | null;
  readonly credentialType: string;
  readonly generationFunc: string;
  readonly typeOptions: Options;
  readonly options: Options;
  readonly claim: ClaimMode;
  readonly brand: IssuingBrand;
  /** Null if the learner has no record. */
  readonly userFullName: string | null;
}

/** Inputs with all names present. */
export type CompleteInputs = IssuanceInputs & {
  readonly learningContextName: string;
  readonly userFullName: string;
};

/**
 * Reads the inputs, and locks the configuration against deletion until the transaction ends. Returns `undefined` if
 * there is no such configuration.
 */
export async function readInputs(
  db: Knex.Transaction,
  key: { configurationId: number; username: string },
): Promise<IssuanceInputs | undefined> {
  return queryRow<IssuanceInputs>(
    db,
    `select
       configuration.learning_context_key as "learningContextKey",
       coalesce(course.display_name, path.display_name) as "learningContextName",
       type.name as "credentialType",
       type.generation_func as "generationFunc",
       type.custom_options as "typeOptions",
       configuration.custom_options as "options",
       configuration.claim,
       ${issuingBrandSql(organisationIn("configuration.learning_context_key"))} as brand,
       ${printedNameSql("learner")} as "userFullName"
     from credential_configurations configuration
     join credential_types type on type.id = configuration.credential_type_id
     left join courses course on course.course_key = configuration.learning_context_key and not course.is_deleted
     left join learning_paths path on path.path_key = configuration.learning_context_key and not path.is_deleted
     left join learners learner on learner.username = :username and not learner.is_deleted
     where configuration.id = :configurationId
     for key share of configuration`,
    { username: key.username, configurationId: key.configurationId },
  );
}

/** @throws Problem `not-found` if the learner has no record; `failed-precondition` if a name is missing */
export function checkComplete(inputs: IssuanceInputs, username: string): CompleteInputs {
  const { userFullName } = inputs;
  if (userFullName === null) throw noSuchLearner(username);
  if (isBlank(userFullName)) {
    throw failedPrecondition(`Learner ${username} has no full name: send a record that contains it.`, {
      reason: "NO_FULL_NAME",
      facts: { username },
    });
  }
  return { ...checkContextName(inputs), userFullName };
}

/** @throws Problem `failed-precondition` if the context has no record */
export function checkContextName<Inputs extends IssuanceInputs>(
  inputs: Inputs,
): Inputs & { readonly learningContextName: string } {
  const { learningContextKey, learningContextName } = inputs;
  if (learningContextName === null) {
    throw failedPrecondition(
      `${learningContextKey} has no record: send one that contains its name, which is printed.`,
      { reason: "NO_CONTEXT_RECORD", facts: { learning_context_key: learningContextKey } },
    );
  }
  return { ...inputs, learningContextName };
}
