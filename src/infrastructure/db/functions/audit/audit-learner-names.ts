/**
 * Returns the names to write in the audit trail for these usernames, in the same order. For an erased learner, this is
 * a hash, so that entries written after the erasure don't contain the name. If the learner has a record again, the name
 * is used again.
 */
export const auditLearnerNames = `
  create or replace function audit_learner_names(asked text[]) returns text[]
  language sql stable as $$
    select array_agg(
      case
        when username_hash is null or exists (select from learners where username = learner) then learner
        else 'erased-' || left(encode(username_hash, 'hex'), 32)
      end
      order by position
    )
    from unnest(asked) with ordinality as each_asked (learner, position)
    left join erased_learners
      on username_hash = sha256((select key from erasure_key) || convert_to(learner, 'UTF8'))
  $$;
`;
