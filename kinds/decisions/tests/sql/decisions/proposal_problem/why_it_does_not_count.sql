begin;
select plan(3);

create function pg_temp.problem(p_pattern text, p_evidence text default '["E1", "E2"]') returns text
language sql return decisions.proposal_problem(jsonb_build_object('pattern', p_pattern, 'evidence', p_evidence::jsonb), '[{"id": "E1"}, {"id": "E2"}]');
select is_empty(
    $$select p from unnest('{"Use Decimal for money.","Don''t catch all errors.","CACHE nothing, and log it instead of that."}'::text[]) as p where pg_temp.problem(p) is not null$$, 'an instruction counts, however it is written'
);
select results_eq(
    $$select pg_temp.problem(p) from unnest('{"The user owns money here.","Overused words are bad here."," use  it  "}'::text[]) as p$$,
    array['it is no instruction: say what to do or to avoid', 'it is no instruction: say what to do or to avoid', 'it is too short to follow: name the area, what to do, and what instead of'],
    'a part of a word is no instruction, nor is one that nobody can follow'
);
select results_eq(
    $$select pg_temp.problem('Use Decimal for money.', e) from unnest(array['"E1"', '["E1", "E3"]', '["E2", "E2"]']) as e$$,
    array['evidence is missing: name ids of the packet', 'it cites evidence that the packet does not contain', 'it cites fewer than two pieces of evidence'], 'two pieces of the packet'
);

select * from finish();
rollback;
