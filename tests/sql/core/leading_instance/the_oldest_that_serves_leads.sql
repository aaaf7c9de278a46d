begin;
select plan(4);

select t.make_principal('op', 'operator');
select is(core.leading_instance(), null, 'nobody is there');

insert into core.instance (id, kind, version, pid, started_at, seen_at) values
('00000000-0000-0000-0000-000000000001', 'stdio', '1', 1, core.now() - interval '3 h', core.now()),
('00000000-0000-0000-0000-000000000002', 'up', '1', 2, core.now() - interval '1 h', core.now()),
('00000000-0000-0000-0000-000000000003', 'up', '1', 3, core.now() - interval '2 h', core.now()),
('00000000-0000-0000-0000-000000000004', 'up', '1', 4, core.now() - interval '9 h', core.now() - interval '1 h');
select is(
    core.leading_instance(), '00000000-0000-0000-0000-000000000003'::uuid,
    'the oldest that serves, not the older stdio one, nor the silent one'
);

delete from core.instance where kind = 'up';
select is(core.leading_instance(), '00000000-0000-0000-0000-000000000001'::uuid, 'else the oldest');

select t.act_as('op', 'qm_operator');
select is_empty(
    $$select * from api.claim_unembedded('no such model', 1, '00000000-0000-0000-0000-000000000009')$$,
    'a process that does not lead gets no texts'
);

select * from finish();
rollback;
