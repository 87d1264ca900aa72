/** Removes the correction of a name when the owner reports the corrected name, or withdraws the record. */
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
