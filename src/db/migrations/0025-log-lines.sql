-- Logs are read by line: each piece knows how many lines it has, and how many the run printed before it.

alter table run_output
  add column lines integer not null generated always as (length(text) - length(replace(text, E'\n', ''))) stored,
  add column lines_before integer not null default 0;

update run_output o set lines_before = placed.before
from (
  select run_id, journal_offset, sum(lines) over (partition by run_id order by journal_offset) - lines as before
  from run_output
) placed
where placed.run_id = o.run_id and placed.journal_offset = o.journal_offset and placed.before > 0;

create index run_output_by_line on run_output (run_id, lines_before);
