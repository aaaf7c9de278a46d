begin;
select plan(3);

select is(
    lookup.describe_row('Elk', 'moose', '{"rank": "species", "family": "Cervidae", "empty": " "}'), 'moose · family: Cervidae · rank: species', 'the alias that matched comes first'
);
select is(lookup.describe_row('Elk', 'Elk', '{"e": "5", "d": "4", "c": "3", "b": "2", "a": "1"}'), 'a: 1 · b: 2 · c: 3 · d: 4', 'not the value again, and no more than four');
select is(lookup.describe_row('Elk', 'Elk', '{}'), '', 'nothing to say');

select * from finish();
rollback;
