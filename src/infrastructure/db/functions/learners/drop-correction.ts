/**
 * Trigger function that removes the correction of a learner's name, because the source of the record has reported the
 * corrected name or withdrawn the record, or the correction was revoked.
 */
export const dropCorrection = `
  create or replace function drop_correction() returns trigger
  language plpgsql set search_path from current as $$
  begin
    new.corrected_name := null;
    new.correction_of := null;
    new.correction_words := '';
    new.correction_reason := '';
    new.corrected_by := '';
    new.corrected_at := null;
    if new.is_deleted then
      new.search_words := '';
    end if;
    return new;
  end $$;
`;
