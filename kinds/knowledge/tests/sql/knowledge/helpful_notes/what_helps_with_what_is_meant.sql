begin;
select plan(7);

select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'), t.note('databases/ledger', 'A ledger is never changed.'),
        t.note('code/modules', 'Modules import one another.')
    ), 'a digest'
);
select t.act_as_superuser();
update core.setting set value = '0' where name = 'knowledge.floor';
-- The search put the modules first and the vacuum last.
create function pg_temp.told(p_task text, p_in_context boolean, p_most integer default 3) returns text language sql as $$
    select string_agg(h.note, ' ' order by h.place)
    from (
        select array_agg(p.id order by g.place) as ids
        from unnest('{code/modules,databases/ledger,databases/vacuum}'::text[]) with ordinality as g (name, place)
        inner join knowledge.note as n on n.name = g.name
        inner join knowledge.passage as p on p.note_id = n.id
    ) as f
    cross join lateral knowledge.helpful_notes(p_task, f.ids, '{0.9, 0.5, 0.1}', '{0.3, 0.2, 0.8}', null, p_in_context, p_most) as h
$$;
select is(pg_temp.told('vacuum dead row versions', false), 'code/modules databases/ledger databases/vacuum', 'in the order of the search');
select is(pg_temp.told('vacuum dead row versions', false, 2), 'code/modules databases/ledger', 'as many as are wanted');
select is(split_part(pg_temp.told('vacuum dead row versions', true), ' ', 1), 'databases/vacuum', 'in context, what helps most comes first');
select is(pg_temp.told('vacuum dead row versions', true, 1), 'databases/vacuum', 'whatever the score of the search is');
select is(
    (select h.told from knowledge.passage as p inner join knowledge.note as n on n.id = p.note_id and n.name = 'databases/vacuum' cross join lateral knowledge.helpful_notes('vacuum', array[p.id], '{1}', '{1}', null, false, 1) as h),
    (select format('%s. %s: %s [%s]', n.title, p.heading, p.text, n.source) from knowledge.note as n inner join knowledge.passage as p on p.note_id = n.id where n.name = 'databases/vacuum'),
    'a text that can be understood alone, with its source'
);
select is_empty($$select * from knowledge.helpful_notes('vacuum', null, null, null, null, false, 3)$$, 'nothing found helps with nothing');
update core.setting set value = '1' where name = 'knowledge.floor';
select is(pg_temp.told('vacuum dead row versions', false), null, 'silent where the experts are');

select * from finish();
rollback;
