begin;
select plan(2);

create function pg_temp.overlap(p_one_kind text, p_one text, p_other_kind text, p_other text) returns boolean language sql as $$
    select decisions.scopes_overlap(one, other)
    from jsonb_populate_record(null::decisions.decision, jsonb_build_object('scope_kind', p_one_kind, 'scope_value', p_one, 'scope_prefix', substring(p_one from '^[^*?]*'))) as one
    cross join jsonb_populate_record(null::decisions.decision, jsonb_build_object('scope_kind', p_other_kind, 'scope_value', p_other, 'scope_prefix', substring(p_other from '^[^*?]*'))) as other;
$$;
create temporary table pair (one_kind text, one text, other_kind text, other text, is_shared boolean);
insert into pair values
    ('global', '', 'global', '', true), ('path', 'src/**', 'language', 'python', true), ('language', 'Python', 'language', 'python', true), ('language', 'rust', 'language', 'python', false),
    ('module', 'app.api', 'module', 'app', true), ('module', 'app.api', 'module', 'app.apis', false), ('path', 'src/**', 'path', 'src/api/*.py', true), ('path', 'src/a/**', 'path', 'src/b/**', false);
select is_empty($$select * from pair as p where pg_temp.overlap(p.one_kind, p.one, p.other_kind, p.other) is distinct from p.is_shared$$, 'one contains the other, or they cannot be compared');
select is_empty($$select * from pair as p where pg_temp.overlap(p.other_kind, p.other, p.one_kind, p.one) is distinct from p.is_shared$$, 'in either order');

select * from finish();
rollback;
