begin;
select plan(7);

select is(catalog.merge_repair('{}', '{"title": "x"}'), '{"title": "x"}', 'the first change');
select is(catalog.merge_repair('{"title": "x", "brief": "y"}', '{"title": null}'), '{"brief": "y"}', 'one is taken back');
select is(catalog.merge_repair('{"phrases": ["a"]}', '{"phrases": ["b"]}'), '{"phrases": ["b"]}', 'a list replaces a list');
select is(
    catalog.merge_repair('{"arguments": {"q": {"name": "words"}}}', '{"arguments": {"words": {"default": "x"}, "n": {"hidden": true}}}'),
    '{"arguments": {"q": {"name": "words", "default": "x"}, "n": {"hidden": true}}}', 'an argument under its new name'
);
select is(catalog.merge_repair('{"arguments": {"q": {"name": "words", "default": "x"}}}', '{"arguments": {"q": {"name": null}}}'), '{"arguments": {"q": {"default": "x"}}}', 'a member of an argument');
select is(catalog.merge_repair('{"title": "x", "arguments": {"q": {"name": "words"}}}', '{"arguments": {"words": null}}'), '{"title": "x"}', 'a whole argument');
select is(catalog.merge_repair('{"title": "x", "arguments": {"q": {"name": "words"}}}', '{"arguments": null}'), '{"title": "x"}', 'all arguments');

select * from finish();
rollback;
