begin;
select plan(4);

create temporary table has as select exists (select from pg_extension as e where e.extname = 'pg_search') as extension;
select is(to_regclass('search.words_search_idx') is not null, h.extension, 'an installation has made the index only there') from has as h;
select is(search.create_words_index(), h.extension, 'it says whether there is pg_search') from has as h;
select is(core.has_capability('pg_search'), h.extension, 'and so does the capability') from has as h;
select is_empty($$select from search.words as w where w.kind = 'trial'$$, 'its trial leaves nothing behind');

select * from finish();
rollback;
