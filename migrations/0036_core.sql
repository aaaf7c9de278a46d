-- What only the service calls gets a schema of its own, so that people who list the functions of api see theirs.
create schema service;
comment on schema service is 'Operations that only the code of the service calls: typed functions with named arguments.';
comment on schema api is 'What people, agents and the command line call: typed functions with named arguments.';
