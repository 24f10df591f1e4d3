-- A deployment's plan is made when its run starts ---------------------------------------------------------------------------

comment on column runs.plan is 'without steps when it is made as the run starts; then it does not change any more';
