begin;
select plan(7);

select t.make_origin('o');
create function pg_temp.found(p_description text) returns text[] language sql as $$
    select t.make_tool('o', 'x', p_description);
    select array_agg(f.rule order by f.rule) from catalog.finding as f inner join catalog.item as t on t.id = f.item_id and t.version = f.version;
$$;
select is(pg_temp.found('Adds.' || chr(x'E0041'::integer) || chr(x'E0042'::integer)), '{tag_characters}', 'tag characters');
select is(pg_temp.found(U&'Adds. \202Edda\202C'), '{bidirectional_override}', 'text that runs backwards');
select is(pg_temp.found(U&'Do n\200Bot look.'), '{invisible_inside_words}', 'split words');
select is(pg_temp.found(U&'Do n\3164ot look.'), '{invisible_inside_words}', 'also with what is a letter by its name');
select is(pg_temp.found(E'Adds.\x1b[8mhidden'), '{terminal_escape}', 'terminal escapes');
select is(pg_temp.found('Adds.' || repeat(' ', 200) || 'Far away.'), '{padding}', 'text out of sight');
select is(
    pg_temp.found(U&'Fam\00EDlia \+01F468\200D\+01F469\200D\+01F467 \2764\FE0F, flag \+01F3F4' || chr(x'E0067'::integer) || chr(x'E0062'::integer) || chr(x'E007F'::integer)),
    null, 'emoji are made of such characters, and are no finding'
);

select * from finish();
rollback;
