-- An order is counted once, however often the authority has to be asked for it.
alter table acme_requests add column order_id bigint references certificate_orders on delete set null;
create unique index acme_request_of_order on acme_requests (order_id, scope);
