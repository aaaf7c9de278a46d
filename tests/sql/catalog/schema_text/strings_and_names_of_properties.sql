begin;
select plan(2);

select is(
    (select array_agg(l.line order by l.line collate "C") from string_to_table(catalog.schema_text('{"type": "object", "title": "T", "properties": {"a": {"type": "string", "enum": ["one", 2], "default": "d"}}}'), E'.\n') as l (line)),
    '{T, a, d, one}', 'what a model reads, without the names of types'
);
select is(catalog.schema_text(null) || catalog.schema_text('{}') || catalog.schema_text('[1]'), '', 'where there is none, none');

select * from finish();
rollback;
