-- The version of Node that runs a project; null: the one that the files of its repository ask for.
alter table projects add column node_version text check (length(node_version) between 1 and 20);
