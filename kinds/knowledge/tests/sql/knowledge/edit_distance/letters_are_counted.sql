begin;
select plan(9);
select is(knowledge.edit_distance(t.p_left, t.p_right), t.edits, t.p_left || ' ' || t.p_right)
from (
    values ('send', 'send', 0), ('send', 'sends', 1), ('send', 'sed', 1), ('send', 'sand', 1), ('send', 'sned', 1), ('send', '', 4), ('', 'send', 4),
    ('kitten', 'sitting', 3), ('send', 'ündet', 4)
) as t (p_left, p_right, edits);
select * from finish();
rollback;
