/** Copies the platform's name from the print settings into a column of its own. */
export const namePlatform = `
  create or replace function name_platform() returns trigger
  language plpgsql as $$
  begin
    new.platform := new.print_settings->>'platformName';
    return new;
  end $$;
`;
