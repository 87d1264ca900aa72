/** Removes the correction of an email address when the owner reports the corrected address, or withdraws the record. */
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
