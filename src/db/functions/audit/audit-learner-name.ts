/**
 * Returns the name of a learner in the trail. A later call must not bring an erased name back. So a hash
 * stands in for the name until a record of that learner exists again.
 */
export const auditLearnerName = `
  create or replace function audit_learner_name(asked text) returns text
  language sql stable as $$
    select coalesce(
      (
        select 'erased-' || left(encode(username_hash, 'hex'), 32)
        from erasure_key
        join erased_learners on username_hash = sha256(key || convert_to(asked, 'UTF8'))
        where not exists (select from learners where username = asked)
      ),
      asked
    )
  $$;
`;
