begin;
select plan(11);

create function pg_temp.tells(
    p_query text, p_name text, p_exact real default 0, p_numbers_differ real default 0, p_acronym real default 0,
    p_is_key boolean default false, p_in_word boolean default false, p_names_two boolean default false
)
returns boolean language sql as $$
    select lookup.can_tell(
        p_query, lookup.normalize(p_query),
        (1, '1', p_name, p_name, '', true, p_is_key, lookup.normalize(p_name), 'a', 0, 1, array[p_exact, p_numbers_differ, p_acronym, 0])::lookup.rival,
        lookup.places_of('{exact,numbers_differ,acronym,letters_equal}'), p_in_word, p_names_two
    );
$$;
select ok(pg_temp.tells('Betula pendul', 'Betula pendula'), 'a word that is spelled wrong');
select ok(not pg_temp.tells('Betula pendul', 'Betula pendula', p_in_word => true), 'a part of a longer word');
select ok(not pg_temp.tells('Betula pendul', 'Betula pendula', p_names_two => true), 'the names of two rows');
select ok(not pg_temp.tells('Lake 2', 'Lake 3', p_numbers_differ => 1), 'another number');
select ok(not pg_temp.tells('alce', 'Alces'), 'a short word');
select ok(pg_temp.tells('WHO', 'World Health Organization', p_acronym => 1), 'unless it is the initials');
select ok(not pg_temp.tells('C', '°C', 1), 'a letter without its mark');
select ok(pg_temp.tells('C.', 'c', 1), 'a letter that is the name');
select ok(pg_temp.tells('x7', 'Elk', p_is_key => true), 'the id of the row');
select ok(not pg_temp.tells('7', 'Elk', p_is_key => true), 'a bare number that is its id');
select ok(not pg_temp.tells('not Betula pendula', 'Betula pendula'), 'a name that is denied');

select * from finish();
rollback;
