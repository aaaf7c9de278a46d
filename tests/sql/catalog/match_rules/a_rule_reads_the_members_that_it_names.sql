begin;
select plan(3);

delete from catalog.finding;
delete from catalog.scan_rule;
insert into catalog.scan_rule (name, attack, severity, members, meaning, words, pattern, enabled) values
('zebra', 'test', 'high', '{}', 'made for a test', 'zebra', 'zebras? bite', true),
('title', 'test', 'medium', '{title}', 'made for a test', 'horse', 'horse', true),
('off', 'test', 'high', '{}', 'made for a test', 'zebra', 'zebra', false);
create function pg_temp.found(p_members text[], p_texts text[]) returns table (place bigint, rule text, severity text, evidence text) language sql as $$
    select m.* from catalog.match_rules(p_members, p_texts) as m order by 1, 2;
$$;
select results_eq(
    $$select * from pg_temp.found('{description,title,description}', '{"Mind that Zebras bite.","A horse.","A horse and zebras."}')$$,
    $$values (1::bigint, 'zebra', 'high', 'Mind that Zebras bite.'), (2, 'title', 'medium', 'A horse.')$$, 'each where it looks'
);
select is((select length(f.evidence) from pg_temp.found('{title}', array[repeat('x', 500) || ' horse ' || repeat('x', 500)]) as f), 125, 'with the text around it');
select is_empty($$select * from pg_temp.found('{}', '{}')$$, 'no texts');

select * from finish();
rollback;
