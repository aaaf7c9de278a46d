begin;
select plan(6);

select is(
    catalog.without_examples('IANA name (e.g., ''Asia/Tokyo'', "Europe/London"). Use UTC by default.'), 'IANA name ( ). Use UTC by default.',
    'quoted values after e.g.'
);
select is(catalog.without_examples('a city, such as `Oslo` or `Bergen`, by name'), 'a city,  by name', 'also several, with a conjunction');
select is(catalog.without_examples('For example: "red"'), ' ', 'in capitals and with a colon');
select is(catalog.without_examples('either ''pdf'' or ''png'''), 'either ''pdf'' or ''png''', 'quoted words that are no examples stay');
select is(catalog.without_examples('evidence (e.g., fibers, blood)'), 'evidence (e.g., fibers, blood)', 'examples without quotes stay');
select is(
    (
        select (c.card #>> '{fields,3}', strpos(c.card ->> 'embedding_text', 'Tokyo') > 0)::text
        from catalog.tool_card(
            1, 'time__convert', 'time', null,
            '{"name": "convert", "input_schema": {"properties": {"zone": {"description": "zone (e.g. ''Asia/Tokyo'')"}}}}'
        ) as c (card)
    ), '("zone zone ( )",t)', 'the model reads the example; it is no word of the card'
);

select * from finish();
rollback;
