begin;
select plan(9);

select is(decisions.check_problem(null), null, 'a decision needs no check');
select is(decisions.check_problem('{"form": "import_contract", "forbidden": ["app.views"], "paths": ["src/api/**"]}'), null, 'a form with what it needs');
select isnt(decisions.check_problem('{"form": "command", "run": "true"}'), null, 'an unknown form');
select isnt(decisions.check_problem('{}'), null, 'no form');
select isnt(decisions.check_problem('{"form": "import_contract"}'), null, 'a missing member');
select isnt(decisions.check_problem('{"form": "import_contract", "forbidden": ["a"], "flags": "-x"}'), null, 'a member that there is not');
select isnt(decisions.check_problem('{"form": "import_contract", "forbidden": []}'), null, 'an empty list');
select isnt(decisions.check_problem('{"form": "import_contract", "forbidden": [1]}'), null, 'a number for a name');
select isnt(decisions.check_problem(jsonb_build_object('form', 'import_contract', 'forbidden', jsonb_build_array(repeat('a', 301)))), null, 'a name that is too long');

select * from finish();
rollback;
