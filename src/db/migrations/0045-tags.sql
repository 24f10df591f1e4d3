-- The tags that a project deploys when they are pushed, as a pattern; null: none.
alter table projects add column deploy_tags text check (char_length(deploy_tags) between 1 and 100);

-- The tag whose push began the deployment; git_branch is the branch that the project had then.
alter table deployments add column git_tag text;

-- Whether `branch` is the name of a tag.
alter table pushes add column is_tag boolean not null default false;
