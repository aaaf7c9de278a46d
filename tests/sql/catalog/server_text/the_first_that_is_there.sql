begin;
select plan(1);

select results_eq(
    $$select catalog.server_text(d.definition::jsonb) from unnest(array[
        '{"title": "Clock", "instructions": "Ask.", "description": "Clocks."}', '{"title": "Clock", "instructions": "Ask.", "description": ""}',
        '{"title": "Clock", "instructions": ""}', '{"server": "clock"}', null
    ]) with ordinality as d (definition, place) order by d.place$$,
    $$values ('Clocks.'), ('Ask.'), ('Clock'), (''), ('')$$,
    'a description, or else instructions, or else a title'
);

select * from finish();
rollback;
