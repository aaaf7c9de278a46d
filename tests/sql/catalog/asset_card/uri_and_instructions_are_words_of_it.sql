begin;
select plan(3);

create temporary table card as
select catalog.asset_card(
    7, 'memo://plan', 'memos', 'Keeps memos.',
    '{"name": "plan", "uri": "memo://plan", "title": "Plan", "description": "What to do. And when.", "arguments": [{"name": "week", "description": "which week"}]}'
) as card;
select is(
    c.card - '{embedding_text,tokens}'::text[],
    '{
        "ref": 7, "name": "memo://plan", "origin": "memos", "label": "plan", "brief": "What to do.",
        "fields": ["plan memo://plan", "Plan memos Keeps memos.", "What to do. And when.", "week.\nwhich week"]
    }', 'its four texts'
)
from card as c;
select is(c.card ->> 'embedding_text', E'memos plan: Plan What to do. And when. week.\nwhich week Keeps memos.', 'what is embedded') from card as c;
select is(
    length(catalog.asset_card(7, 'i', 'o', null, jsonb_build_object('name', 'i', 'instructions', repeat('x', 5000))) ->> 'embedding_text'),
    length('o i: ') + 1000, 'the start of long instructions'
);

select * from finish();
rollback;
