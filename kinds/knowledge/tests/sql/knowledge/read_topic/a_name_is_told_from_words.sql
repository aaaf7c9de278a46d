begin;
select plan(6);

select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
create function pg_temp.read(p_topic text) returns text language sql as $$
    select concat_ws(
        ' ', coalesce(cardinality(r.named)::text, 'none'), r.mentioned::text, case when r.is_searched then 'searched' end,
        case when r.is_near then 'near' end, case when r.may_compare then 'compared' end
    )
    from knowledge.read_topic((select d.id from knowledge.distribution as d where d.name = 'acme'), p_topic) as r
$$;
select is(pg_temp.read(null), 'none {}', 'no topic');
select is(pg_temp.read('acme.send'), '1 {}', 'a path is looked up');
select is(pg_temp.read('send'), '1 {} searched', 'an ordinary word is searched, too');
select is(pg_temp.read('acme.snd'), '0 {acme.snd} searched near compared', 'a name that nothing has');
select is(pg_temp.read('acme.send timeout'), '1 {acme.send} searched compared', 'a name before a word');
select is(pg_temp.read('how does send() wait'), 'none {send} searched compared', 'a question mentions a name');

select * from finish();
rollback;
