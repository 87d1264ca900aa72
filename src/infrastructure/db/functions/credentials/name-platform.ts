/** Copies the platform's name from the print settings into its own column. */
export const namePlatform = `
  create or replace function name_platform() returns trigger
  language plpgsql as $$
  begin
    new.platform := new.print_settings->>'platformName';
    return new;
  end $$;
`;
