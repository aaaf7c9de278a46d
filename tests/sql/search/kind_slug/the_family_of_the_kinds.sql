begin;
select plan(4);

select t.make_kind('memo'), search.put_kind('mytool', 'made for a test', p_not_found => 'tool_not_found');
select is(search.kind_slug('{mytool}', '_changed'), 'tool_changed', 'that of the kind');
select is(search.kind_slug('{mytool,memo}', '_not_found'), 'card_not_found', 'kinds of several families have cards');
select is(search.kind_slug('{mytool}', '_never_heard_of'), 'card_never_heard_of', 'so does a family that has no such error');
select is(search.kind_slug(null, '_not_found'), 'card_not_found', 'so does no kind at all');

select * from finish();
rollback;
