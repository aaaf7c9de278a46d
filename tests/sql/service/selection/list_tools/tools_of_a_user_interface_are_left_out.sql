begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
select t.make_all_tools('[
    {"origin": "time", "name": "redraw_clock", "description": "Redraw the clock.", "input_schema": {"type": "object"},
     "extra": {"_meta": {"ui": {"visibility": ["app"]}}}},
    {"origin": "time", "name": "show_clock", "description": "Show the clock.", "input_schema": {"type": "object"},
     "extra": {"_meta": {"ui": {"visibility": ["model", "app"]}}}}
]');
select t.act_as('alice');
select results_eq(
    $$select l.name from service.list_tools() as l where l.name like '%clock'$$, array['time__show_clock'], 'the list has only what models use'
);
select is_empty($$select * from api.search_tools('redraw the clock') as f where f.name = 'time__redraw_clock'$$, 'no search finds the other');
select isnt_empty($$select * from api.describe_tool('time__redraw_clock')$$, 'which its app can use');
select t.act_as_superuser();
select t.make_all_tools('[{"origin": "time", "name": "redraw_clock", "description": "Redraw the clock.", "input_schema": {"type": "object"}}]');
select t.act_as('alice');
select isnt_empty($$select * from service.list_tools() as l where l.name = 'time__redraw_clock'$$, 'once it is for models, it is listed');

select * from finish();
rollback;
