begin;
select plan(3);

create temporary table text_of as
select n as id, btrim(
    case n % 3 when 0 then 'In src, never call ' when 1 then 'In src/api, use ' else 'Raise ' end
    || left('serializers of the request in every view', 5 + n % 30) || ' ' || (array['always', 'Decimal', 'ändern', '金額', 'x'])[1 + n % 5]
) as text
from generate_series(1, 60) as n;
create temporary table pair as
select
    ext.similarity(a.text, b.text) >= 0.5 as is_like,
    bit_count(x.bits # y.bits) * 3 <= x.number + y.number as passes
from text_of as a
inner join text_of as b on a.id < b.id
cross join lateral decisions.trigram_bits(a.text) as x
cross join lateral decisions.trigram_bits(b.text) as y;
select is_empty($$select * from pair where is_like and passes is not true$$, 'no pair that is alike is lost');
select cmp_ok((select count(*) from pair where not is_like and not passes), '>', (select count(*) from pair where not is_like) / 2, 'and most others are');
select results_eq($$select * from decisions.trigram_bits('?')$$, $$values (null::bit varying, 0)$$, 'a text without words has no trigrams');

select * from finish();
rollback;
