begin;
select plan(4);

create function pg_temp.refused(p_name text) returns text language plpgsql as $$
declare v_slug text; v_message text; v_hint text;
begin
    perform search.refuse_name('memo', p_name);
    return null;
exception when others then
    get stacked diagnostics v_slug = constraint_name, v_message = message_text, v_hint = pg_exception_hint;
    return concat_ws(' | ', sqlstate, v_slug, v_message, v_hint);
end $$;
select t.make_principal('alice'), t.make_kind('memo');
select t.make_card('memo', n.place, n.name, n.name)
from unnest('{harbour,harbor_map,garden,ballads,hidden harbour}'::text[]) with ordinality as n (name, place);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "hidden*"}]}');
select t.read_as('alice');
select is(
    pg_temp.refused('harbur'),
    'QM404 | card_not_found | there is no memo called ''harbur'' | Did you mean: harbour, harbor_map, ballads? If not, search for tools with search_tools or qm search.',
    'three'
);
select matches(pg_temp.refused('hidden harbour'), '^QM404 .* harbour, harbor_map, ', 'a hidden name is as absent as one that is not there');
select unalike(pg_temp.refused('hidden harbour'), '%mean%hidden%', 'and is not offered');
select t.act_as_superuser();
select search.remove_cards('memo', '{1,2,3,4,5}');
select unalike(pg_temp.refused('harbur'), '%Did you mean%', 'without cards there is nothing to offer');

select * from finish();
rollback;
