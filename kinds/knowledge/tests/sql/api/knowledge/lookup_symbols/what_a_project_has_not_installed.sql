-- In a project with an environment of its own, a look-up finds what is installed there, and says what is not.
begin;
select plan(14);
select t.make_project('shop', 'alice'), t.make_project('bank', 'bob'), t.make_project('empty', 'alice');
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select t.make_library('bank', 'vault', '3.0', 'Locks a box.');
select t.make_library('public', 'acme', '2.0', 'Sends a parcel by air.') from t.make_project('public', 'carol');
select t.make_library('public', 'acme-post', '2.1', 'Sends a letter.');
update knowledge.environment set project_id = null where folder = '/srv/public';
select knowledge.share(array(select d.id from knowledge.distribution as d));
create function pg_temp.hint(p_library text, p_project text) returns text language plpgsql as $$
declare
    v_hint text;
begin
    perform s.name from api.lookup_symbols(p_library, 'send', project => p_project) as s;
    return 'found';
exception when others then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end
$$;

select t.act_as('alice', 'qm_user');
select throws_ok(
    $$select * from api.lookup_symbols('vault', 'lock', project => 'shop')$$, 'QM404', 'no indexed library is called ''vault''',
    'a package of another project is not even known'
);
select is(pg_temp.hint('vault', 'shop'), pg_temp.hint('zzz', 'shop'), 'nor suggested: the hint is that for a name which nobody has');
select throws_ok(
    $$select * from api.lookup_symbols('acme-post', 'send', project => 'shop')$$, 'QM404',
    'acme-post is not among the packages that were read for the project alice/shop', 'a similar package does not pass for one that everybody may see'
);
select is(
    pg_temp.hint('acme_post', 'shop'),
    'To see version 2.1, which was read elsewhere, name its folder: qm docs lookup acme-post --python FOLDER. If the project uses this library, run: qm docs index --project alice/shop.',
    'the error tells how to see it'
);
select is((select s.version from api.lookup_symbols('acme-post', 'send', folder => '/srv/public') as s), '2.1', 'and so it is seen');
select is((select s.version from api.lookup_symbols('acme', 'send', project => 'shop') as s), '1.0', 'what is installed is found');
select is((select s.version from api.lookup_symbols('acme', 'send') as s), '2.0', 'with two projects and no folder, the newest');
select is((select s.version from api.lookup_symbols('acme', 'send', folder => '/srv/public', project => 'shop') as s), '2.0', 'a folder that is named decides');
select ok((select s.is_near_miss from api.lookup_symbols('acmee', 'send', project => 'shop') as s), 'a misspelled name still finds what is installed');
select is((select s.version from api.lookup_symbols('acme', 'send', project => 'empty') as s), '2.0', 'a project without an environment has what everybody may see');
select set_config('qm.folder', '/srv/shop/src', true);
select is((select s.version from api.lookup_symbols('acme', 'send') as s), '1.0', 'in the folder of a project, what is installed there');
select throws_ok($$select * from api.lookup_symbols('acme-post', 'send')$$, 'QM404', null, 'and nothing from elsewhere');
select set_config('qm.folder', '', true), t.act_as('bob', 'qm_user');
select throws_ok(
    $$select * from api.lookup_symbols('acme', 'send')$$, 'QM404', 'acme is not among the packages that were read for the project bob/bank',
    'the only project counts as named'
);
select t.act_as('alice', 'qm_user');
select set_config('qm.project', 'shop', true);
select throws_ok($$select * from api.lookup_symbols('acme-post', 'send')$$, 'QM404', null, 'the project of the session counts as named');

select * from finish();
rollback;
