/** Adds names to the audit trail, in a fixed order, so that two callers that add the same names don't deadlock. */
export const addAuditNames = `
  create or replace function add_audit_names(entries jsonb, is_anyone_erased boolean) returns void
  language sql set search_path from current as $$
    insert into audit_names (name, bearer, issuer, subject)
    select name, bearer, issuer, subject
    from (
      select name, bearer, issuer, subject
      from jsonb_to_recordset(entries) as recorded (name text, bearer text, issuer text, subject text)
      union
      select learner, 'learner', '', ''
      from jsonb_to_recordset(entries) as recorded (learners text[]),
        unnest(case when is_anyone_erased then audit_learner_names(learners) else learners end) as learner
    ) as named
    where (
      select id from audit_names known
      where (known.name, known.bearer, known.issuer, known.subject)
        = (named.name, named.bearer, named.issuer, named.subject)
    ) is null
    order by 1, 2, 3, 4
    on conflict do nothing
  $$;
  revoke execute on function add_audit_names from public;
`;
