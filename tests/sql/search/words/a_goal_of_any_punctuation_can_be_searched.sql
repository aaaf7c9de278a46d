begin;
select plan(12);

select t.make_catalog();
select lives_ok(
    format('select * from search.bm25(%L, %L, 5)', 'tool', 'ticket ' || repeat(c.character, 3) || 'time' || c.character || 'x'),
    'character ' || ascii(c.character)
)
from (values ('\'), (''''), ('"'), ('|'), ('&'), ('!'), ('<'), (':'), ('*'), ('('), ('%'), ('$')) as c (character);

select * from finish();
rollback;
