/**
 * Trigger function that removes the correction of an email address, because the source of the record has reported the
 * corrected address or withdrawn the record, or the correction was revoked.
 */
export const dropEmailCorrection = `
  create or replace function drop_email_correction() returns trigger
  language plpgsql set search_path from current as $$
  begin
    new.corrected_email := null;
    new.email_correction_of := null;
    new.email_correction_reason := '';
    new.email_corrected_by := '';
    new.email_corrected_at := null;
    return new;
  end $$;
`;
