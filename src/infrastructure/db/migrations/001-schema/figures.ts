/** Counts of actions per day. They don't reveal who acted, or on whom. */
export const figures = `
  create table daily_figures (
    -- Day in the time zone of the service.
    day date not null,
    configuration_id integer not null,
    kind text not null check (kind in ('issued', 'mailed', 'downloaded', 'verified', 'withdrawn')),
    count bigint not null check (count > 0),
    primary key (day, configuration_id, kind)
  );

  -- Position of the last event that was counted.
  create table daily_figures_head (
    is_only boolean primary key default true check (is_only),
    position bigint not null default 0
  );
  insert into daily_figures_head default values;
`;
