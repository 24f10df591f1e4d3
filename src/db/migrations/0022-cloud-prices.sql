-- Why the price of what was ordered is unknown: a part of it, such as the address, may have none in the provider's answers.
alter table server_orders add column price_problem text;
