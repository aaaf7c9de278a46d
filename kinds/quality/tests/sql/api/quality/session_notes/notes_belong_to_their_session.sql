begin;
select plan(13);

select t.make_project('shop', 'alice', 'bob');
select t.act_as('alice');
select throws_ok($$select api.session_notes('sing')$$, 'QM422', null, 'an unknown action');
select throws_ok($$select api.session_notes('save', 'db')$$, 'QM422', null, 'a note without text');
select throws_ok($$select api.session_notes('get')$$, 'QM422', null, 'a key is needed');
select throws_ok($$select api.session_notes('get', 'db')$$, 'QM404', null, 'a note that is not there');
select throws_ok($$select api.session_notes('save', 'db', repeat('x', 20001))$$, 'QM422', null, 'a note that is too long');
select is(api.session_notes('save', 'db', 'postgres') -> 'notes', '{"db": "postgres"}'::jsonb, 'saved');
select is(api.session_notes('save', 'auth', 'JWT') ->> 'note_count', '2', 'and another');
select is(api.session_notes('get', 'db') -> 'notes', '{"db": "postgres"}'::jsonb, 'one is read');
select is(api.session_notes('list') -> 'notes', '{"db": "postgres", "auth": "JWT"}'::jsonb, 'all are read');
create temporary table opened as select api.session_notes('list') ->> 'session_id' as handle;
grant select on opened to public;
select t.act_as('bob');
select is(api.session_notes('list') -> 'notes', '{}'::jsonb, 'others have notes of their own');
select throws_ok($$select api.session_notes('list', session => (select o.handle from opened as o))$$, 'QM404', null, 'whatever session they name');
select t.act_as('alice');
select is(api.session_notes('clear', 'db') -> 'notes', '{"auth": "JWT"}'::jsonb, 'one is cleared');
select is(api.session_notes('clear') -> 'notes', '{}'::jsonb, 'all are');

select * from finish();
rollback;
