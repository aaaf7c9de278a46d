begin;
select plan(20);
select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_admin');
create function pg_temp.symbol(p_path text, p_kind text, p_paths text[] default '{}', p_outdated integer default 0) returns jsonb language sql as $$
    select jsonb_build_object(
        'path', p_path, 'paths', p_paths, 'kind', p_kind, 'signature', '', 'file', 'acme.py', 'line', 7, 'passage', '', 'parameters', '[]'::jsonb,
        'deprecated', '', 'is_async', false, 'is_public', true, 'priors', jsonb_build_array(0, 1, 0, 1, 2, 1, p_outdated, 0, 1, 0, 0, 0, 0, 0, 1),
        'fields', jsonb_build_array(regexp_replace(p_path, '.*\.', ''), '', '', ''), 'embedding_text', p_path
    )
$$;
select api.store_distributions(
    api.put_environment('/srv/shop', '{}', 'shop', false),
    jsonb_build_array(jsonb_build_object(
        'name', 'acme', 'version', '1', 'digest', repeat('ab', 32), 'modules', '["acme"]'::jsonb, 'summary', '', 'symbols', jsonb_build_array(
            pg_temp.symbol('acme.box', 'module'), pg_temp.symbol('acme.box.Box', 'class'), pg_temp.symbol('acme.box.Box.fold_flat', 'method'),
            pg_temp.symbol('acme.v1.Box', 'class', '{}', 1), pg_temp.symbol('acme.lid.Box.box', 'attribute'), pg_temp.symbol('acme.boxes.unbox', 'function'),
            pg_temp.symbol('acme.Mail.connect', 'method', '{acme.dial}'), pg_temp.symbol('acme.old_mail', 'function', '{}', 1),
            pg_temp.symbol('acme.cold_mail', 'function'), pg_temp.symbol('acme.v1.post', 'function', '{}', 1), pg_temp.symbol('acme.ma.fold_flat', 'function'), pg_temp.symbol('acme.fold_flat', 'function')
        )
    ))
);
select t.act_as('alice', 'qm_user');
set local statement_timeout = '20s';
create function pg_temp.found(p_topic text) returns text[] language sql as $$
    select array_agg(s.name) from api.lookup_symbols('acme', p_topic) as s
$$;
select is((pg_temp.found('Box'))[1:3], '{acme.box.Box,acme.box,acme.lid.Box.box}', 'a class, then what is called so, too');
select ok(array_position(pg_temp.found('Box'), 'acme.v1.Box') > 3, 'what is outdated comes behind them');
select is((pg_temp.found('box'))[1], 'acme.box.Box', 'in capitals or not');
select is((pg_temp.found('acme.box'))[1], 'acme.box', 'but a whole path is meant as it is');
select is((pg_temp.found('acme.v1.Box'))[1], 'acme.v1.Box', 'also if it is outdated');
select is_empty($$select s.name from api.lookup_symbols('acme', 'post') as s where s.score = 1$$, 'a word is no name of what is outdated');
select ok('acme.boxes.unbox' = any(pg_temp.found('boxes')), 'a word is searched');
select is((pg_temp.found('dial'))[1], 'acme.Mail.connect', 'the end of a further path');
select is(pg_temp.found('Box.fold_flat'), '{acme.box.Box.fold_flat}', 'a name that is no word is not searched');
select is((pg_temp.found('box.fold_flat'))[1], 'acme.box.Box.fold_flat', 'its path in other capitals');
select is((pg_temp.found('fold_falt'))[1], 'acme.fold_flat', 'a slip of the pen');
select is((pg_temp.found('ac.fold_flat'))[1], 'acme.fold_flat', 'another name of the module');
select is((pg_temp.found('Box.fold_flatt'))[1], 'acme.box.Box.fold_flat', 'what is similar of the same owner is first');
select is(
    (select round(s.score::numeric, 2) from api.lookup_symbols('acme', 'fold_flatt') as s where s.name = 'acme.fold_flat'), 0.90,
    'the score of a similar name is its likeness'
);
select is_empty($$select s.name from api.lookup_symbols('acme', 'fold_flatt') as s where s.score = 1$$, 'which is never certain');
select is((pg_temp.found(repeat('a', 19000) || '.fold_falt'))[1], 'acme.fold_flat', 'a long owner takes no time');
select is((pg_temp.found('gold_mail'))[1], 'acme.cold_mail', 'what is outdated is suggested last');
select is((pg_temp.found('Box.fold_flat corners'))[1], 'acme.box.Box.fold_flat', 'a name before a word');
select is_empty($$select s.name from api.lookup_symbols('acme', 'Mail_box timeout') as s where s.score > 0.6$$, 'a name that is none, before a word');
select is_empty($$select s.name from api.lookup_symbols('acme', 'zzzz_qqqq') as s where s.score > 0.6$$, 'nothing is similar');
select * from finish();
rollback;
