begin;
select plan(2);

select set_eq(
    $$select * from policy.match_patterns('{github, gitlab, git, null, github}', '{github, gith*, *lab, g*, none, ?it}', '{1, 2, 3, 4, 5, 6}')$$,
    $$values ('github', 1), ('github', 2), ('gitlab', 3), ('github', 4), ('gitlab', 4), ('git', 4), ('git', 6)$$, 'each value once a pattern'
);
select is_empty($$select * from policy.match_patterns('{a}', '{}', '{}')$$, 'no pattern fits nothing');

select * from finish();
rollback;
