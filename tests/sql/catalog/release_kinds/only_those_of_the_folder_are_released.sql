begin;
select plan(5);

select search.put_model('m', 2, true);
select set_config('qm.kind_folder', 'letters', true);
select t.make_kind('letter');
select set_config('qm.kind_folder', '', true);
select t.make_kind('memo');
insert into search.words (id, kind, words) values (-1, 'letter', 'dear'), (-2, 'memo', 'open');
insert into core.kind_folder (name, digest, is_hidden) values ('letters', '', true);
select catalog.hide_kinds();

select catalog.release_kinds('letters');
select is_empty($$select from pg_class as c where c.relname ~ '^(card|embedding)_letter_'$$, 'its indexes are gone');
select isnt_empty($$select from pg_class as c where c.relname ~ '^embedding_memo_'$$, 'but no others');
select is_empty($$select from policy.audience$$, 'and the audience that hid it');
select results_eq($$select w.kind from search.words as w where w.id < 0$$, array['memo'], 'and its words');
select catalog.release_kinds('');
select isnt_empty($$select from pg_class as c where c.relname ~ '^embedding_memo_'$$, 'a kind of no folder is never released');

select * from finish();
rollback;
