/**
 * Replaces the name of an erased learner with a pseudonym. Fails if no erasure is recorded, so that the names of other
 * people can't be replaced.
 */
export const pseudonymiseAuditNames = `
  create or replace function pseudonymise_audit_names(erased text, pseudonym text) returns void
  language plpgsql security definer set search_path from current as $$
  begin
    if pseudonym !~ '^erased-[0-9a-f]{32}$' then
      raise exception 'the new name must be a pseudonym' using errcode = 'insufficient_privilege';
    end if;
    if not exists (
      select from erasure_key join erased_learners on username_hash = sha256(key || convert_to(erased, 'UTF8'))
    ) then
      raise exception 'only the names of erased learners are replaced' using errcode = 'insufficient_privilege';
    end if;
    -- Removes the issuer and the subject, because they also identify the learner. If a row had any, its id becomes
    -- the subject, so that several accounts of the learner stay distinct.
    update audit_names set
      name = pseudonym, issuer = '', subject = case when issuer = '' and subject = '' then '' else id::text end
    where name = erased and bearer in ('learner', 'user');
  end $$;
  revoke execute on function pseudonymise_audit_names from public;
`;
