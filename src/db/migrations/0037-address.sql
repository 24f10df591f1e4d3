-- The address of the installation as the process of the API that started last has it. Commands beside a running `up` print links to
-- it, and have no other way to know its port.
create table address (
  id boolean primary key default true check (id),
  url text not null
);
