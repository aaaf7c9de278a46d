begin;
select plan(9);

select t.make_origin('first'), t.make_origin('second'), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_tool('first', 'search', 'Search the web.'), t.make_tool('second', 'search', 'Search the web with this.');
select t.make_tool('second', 'look', 'Search the web, too.'), t.make_tool('second', 'spin', 'Spin a web.');
select search.put_model('test-2', 2, true);
select search.store_embeddings(
    'test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg(case c.label when 'search' then '[1, 0]' when 'look' then '[0.95, 0.31]' else '[0, 1]' end)
)
from search.card as c
where c.kind = 'tool';
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:op", "names": "first__search", "reason": "so"}]}');
update selection.mode set lambda = 1 where name = 'balanced';
create function pg_temp.told(p_tool text, p_principal text default null, p_top integer default null) returns jsonb language sql as $$
    select to_jsonb(e) from api.explain_absence('search the web', p_tool, p_principal, top => p_top, query_vector => '[1, 0]') as e
$$;
grant execute on all functions in schema pg_temp to public;

select t.act_as('alice');
select is(pg_temp.told('second__search') #>> '{detail,of}', 'first__search', 'who may see the first of two learns its name');
select is(pg_temp.told('second__search', 'alice'), pg_temp.told('second__search'), 'everybody may name himself');
select t.act_as('op', 'qm_operator');
select is(pg_temp.told('second__search') ->> 'reason', 'offered', 'for an operator from whom it is hidden, the second is offered');
select is(pg_temp.told('second__search', 'alice') ->> 'reason', 'duplicate', 'for the other principal, it is a duplicate');
select unalike(pg_temp.told('second__search', 'alice')::text, '%first%', 'of something that the operator may not see');
select is(pg_temp.told('second__look', 'alice', 2) ->> 'reason', 'redundant', 'another one is similar to it');
select unalike(pg_temp.told('second__look', 'alice', 2)::text, '%first%', 'which does not name it either');

select t.act_as_superuser();
update catalog.item set status = 'quarantined', status_reason = 'it asks for keys' where public_name = 'first__search';
select catalog.show_items(array(select i.id from catalog.item as i));
select t.act_as('op', 'qm_operator');
select is(pg_temp.told('first__search', 'alice') #>> '{detail,status}', 'quarantined', 'the status of something that the operator may not see');
select unalike(pg_temp.told('first__search', 'alice')::text, '%keys%', 'without the cause, which may quote its definition');

select * from finish();
rollback;
