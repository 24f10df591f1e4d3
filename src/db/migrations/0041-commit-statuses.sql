-- Why the git host of a connected account does not show the project's newest deployment at its commit; null: it does.
alter table project_sources add column report_error text;
