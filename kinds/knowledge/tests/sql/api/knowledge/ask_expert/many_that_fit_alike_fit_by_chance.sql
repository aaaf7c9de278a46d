begin;
select plan(2);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'), t.note('databases/ledger', 'A ledger frees nothing.'),
        t.note('databases/sum', 'A sum frees nothing.'), t.note('databases/table', 'A table frees nothing.')
    ), 'a digest'
);
select t.act_as('alice', 'qm_user');
create function pg_temp.ahead(p_question text, p_top integer default 3) returns numeric language sql as $$
    select (a.parts ->> 'ahead')::numeric from api.ask_expert(p_question, top => p_top) as a
$$;
select cmp_ok(pg_temp.ahead('vacuum frees dead row versions'), '>', pg_temp.ahead('frees'), 'a passage that fits better than others is ahead');
select is(
    pg_temp.ahead('vacuum frees dead row versions', 1), pg_temp.ahead('vacuum frees dead row versions', 10), 'however many passages are wanted'
);

select * from finish();
rollback;
