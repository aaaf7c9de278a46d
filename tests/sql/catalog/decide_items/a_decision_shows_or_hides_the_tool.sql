begin;
select plan(8);

select t.make_principal('op', 'operator'), t.make_catalog();
create function pg_temp.decide(p_status text) returns text language sql as $$
    select catalog.decide_items(array[t.id], p_status, 'because', policy.put_principal('op', 'agent', 'operator')) from catalog.item as t where t.name = 'convert_time';
    select concat_ws(
        ', ', t.status, t.status_reason, t.approved_version, case when t.is_live then 'live' end, case when v.approved_at is not null then 'approved' end,
        case when v.approved_by is not null then 'by somebody' end,
        case when exists (select from search.card as c where c.kind = 'tool' and c.ref = t.id) then 'has a card' end
    )
    from catalog.item as t inner join catalog.item_version as v on v.item_id = t.id where t.name = 'convert_time';
$$;
select is(pg_temp.decide('quarantined'), 'quarantined, because, 1', 'quarantine takes everything');
select is_empty($$select * from t.wrong_statistics('tool')$$, 'also from the statistics');
select is(pg_temp.decide('approved'), 'approved, because, 1, live, approved, by somebody, has a card', 'approval brings it back');
select is_empty($$select * from t.wrong_statistics('tool')$$, 'into the statistics too');
select is(pg_temp.decide('deprecated'), 'deprecated, because, 1, approved, by somebody', 'a deprecated one stays described as it was');
select is(pg_temp.decide('approved'), 'approved, because, 1, live, approved, by somebody, has a card', 'and may come back');
select t.at(now() + interval '1 day');
select catalog.deprecate_items(catalog.origin_id('time'), '{tool}', core.now());
select is(pg_temp.decide('approved'), 'approved, because, 1, approved, by somebody', 'what its origin does not offer is not live, whatever is decided');
select throws_ok($$select pg_temp.decide('lost')$$, '23514', null, 'no other status');

select * from finish();
rollback;
