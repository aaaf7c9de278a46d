begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice');
create function pg_temp.finds(p_query text, p_name text, p_scope jsonb default '{}') returns boolean language sql security definer as $$
    select p_name in (
        select t.name_of(f.card_id)
        from lookup.find_names(lookup.read_query(p_query, null, p_scope || jsonb_build_object('table', t.lookup_id('plant'))), 30, 30) as f
    )
$$;
select t.act_as('alice');
select ok(pg_temp.finds(q.query, q.name, q.scope), q.what)
from (
    values
    ('Betuls pendul', 'Betula pendula', '{}'::jsonb, 'letters in common'),
    ('B. nana', 'Betula nana', '{}', 'an abbreviation'),
    ('Betulla nanum', 'Betula nana', '{}', 'another spelling'),
    ('MS', 'Magnetic susceptibility', '{}', 'initials'),
    (' 6 ', 'Salix repens', '{}', 'the id of the row'),
    ('qqqq', 'Bromus pendula', '{"properties": {"family": "Poaceae"}}', 'a property')
) as q (query, name, scope, what);
select ok(not pg_temp.finds('qqqq', 'Bromus pendula'), 'nothing in common');

select * from finish();
rollback;
