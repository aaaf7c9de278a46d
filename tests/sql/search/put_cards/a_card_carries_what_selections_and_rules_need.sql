begin;
select plan(8);

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "read_only": false}, {"effect": "deny", "subject": "everyone", "categories": "x"}]}');
select t.make_kind('memo');
select search.put_cards('memo', '[
    {"ref": 1, "name": "full", "fields": ["full"], "categories": ["x", "y"], "traits": ["read_only"], "tokens": 7, "risk": 0.5, "downrank": 0.25, "destroys": "delet"},
    {"ref": 2, "name": "bare", "fields": ["bare"], "brief": "eight."},
    {"ref": 3, "name": "writes", "fields": ["writes"], "traits": []}
]');
select results_eq(
    $$select c.name, c.categories, c.traits, c.tokens, c.risk, c.downrank, c.destroys from search.card as c where c.kind = 'memo' order by c.ref$$,
    $$values
        ('full', '{x,y}'::text[], '{read_only}'::text[], 7, 0.5::real, 0.25::real, 'delet'),
        ('bare', '{}', null, 3, 0, 0, null),
        ('writes', '{}', '{}', 2, 0, 0, null)$$,
    'as given, or what a card of name and brief costs'
);
select is((select array_agg(c.name order by c.ref) from search.card as c where c.kind = 'memo' and c.rights_class <> 0), '{full,writes}', 'rules look at categories and traits');
select search.put_cards('memo', '[{"ref": 1, "name": "full", "fields": ["full"], "traits": ["read_only"]}, {"ref": 3, "name": "writes", "fields": ["writes"]}]');
select is_empty($$select from search.card as c where c.kind = 'memo' and c.rights_class <> 0$$, 'and see a change of them');
select throws_ok($$select search.put_cards('memo', '[{"ref": 1, "name": "a", "fields": [], "downrank": 2}]')$$, '23514', null, 'downrank is at most 1');
select throws_ok($$select search.put_cards('memo', '[{"ref": 1, "name": "a", "fields": [], "risk": -1}]')$$, '23514', null, 'risk is at least 0');
select throws_ok($$select search.put_cards('memo', '[{"ref": 1, "name": "a", "fields": [], "tokens": -1}]')$$, '23514', null, 'tokens are at least 0');
select t.make_catalog();
select is_empty(
    $$select from search.card as c
    inner join catalog.item as x on x.id = c.ref
    where c.kind = 'tool' and (c.categories, c.traits, c.risk) is distinct from (x.categories, catalog.traits(x.definition -> 'annotations'), 1.0::real)$$,
    'the card of a tool has what the tool has'
);
select is((select count(*) from search.card as c where c.kind = 'tool'), 4::bigint, 'all four of them');

select * from finish();
rollback;
