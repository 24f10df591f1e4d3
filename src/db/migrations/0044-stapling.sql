-- Whether the authority of what is served tells over OCSP what was revoked: then its answers are stapled.
alter table certificates add column offers_ocsp boolean not null default false;
