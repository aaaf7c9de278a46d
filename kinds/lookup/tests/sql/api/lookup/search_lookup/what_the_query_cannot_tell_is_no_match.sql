begin;
select plan(29);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.load_lookup('plant', '[
    {"id": "10", "value": "Psallus lepidus"}, {"id": "11", "value": "Poecilus lepidus"}, {"id": "12", "value": "Philonthus lepidus"},
    {"id": "13", "value": "Filipendula ulmaria", "aliases": ["älggräs"]}, {"id": "14", "value": "Nymphaea alba"},
    {"id": "15", "value": "Strängnäs Raä 443"}, {"id": "16", "value": "Forsa"}, {"id": "17", "value": "Umeå Stadsliden 6:6"},
    {"id": "18", "value": "Potentilla sp", "active": false}, {"id": "19", "value": "Potentilla sp."}, {"id": "20", "value": "?"},
    {"id": "21", "value": "Uppsala Accelerator", "aliases": ["Ua"]}, {"id": "1999", "value": "A year"}, {"id": "1", "value": "1999"},
    {"id": "22", "value": "C14 dating"}, {"id": "23", "value": "WGS84 UTM zone 33N"},
    {"id": "24", "value": "Haliplus sparsus"}, {"id": "25", "value": "Licinus varus"}, {"id": "26", "value": "Rosa sp."}, {"id": "27", "value": "Rosa spinosissima"},
    {"id": "36", "value": "Ilybius indet."}, {"id": "37", "value": "Ips indet."},
    {"id": "28", "value": "square metre", "aliases": ["m2"]}, {"id": "29", "value": "degree Celsius", "aliases": ["°C"]}, {"id": "30", "value": "kelvin", "aliases": ["K"]},
    {"id": "31", "value": "Salix caprea"}, {"id": "32", "value": "Salix rubra"}, {"id": "33", "value": "Carex nigra or rostrata"}, {"id": "34", "value": "Carex flava subsp. alpina"}, {"id": "35", "value": "percent", "aliases": ["%"]}
]', replaces => false);
select t.act_as('alice');
select results_eq(
    $$select count(*), count(distinct s.score), bool_or(s.match) from api.search_lookup('plant', 'P. lepidus', threshold => 0) as s where s.value like '%lepidus'$$,
    $$values (3::bigint, 1::bigint, false)$$, 'all names that an abbreviation fits share its probability'
);
select cmp_ok(
    (select sum(s.score) from api.search_lookup('plant', 'P. lepidus', threshold => 0, k_final => 100) as s), '<=', 1::real,
    'and all probabilities are at most 1'
);
select is((select s.match from api.search_lookup('plant', 'Ps. lepidus') as s where s.rank = 1), true, 'one letter more tells which');
select is_empty($$select * from unnest('{Haliplus sp.,Licinus var.,I. indet.}'::text[]) as q (query) cross join api.search_lookup('plant', q.query, threshold => 0.5) as s where s.match$$, 'a rank abbreviates no name, and tells no names apart');
select is((select s.id from api.search_lookup('plant', 'Rosa sp') as s where s.match), '26', 'but it may be in a name');
select is_empty($$select * from unnest('{N/A,NA,none,cf.,x,xxx,-,unknown,okänd,unbekannt}'::text[]) as q (query) cross join api.search_lookup('plant', q.query, threshold => 0)$$, 'no row is meant by a placeholder');
select results_eq($$select s.id, s.match from api.search_lookup('plant', '?') as s$$, $$values ('20', true)$$, 'unless it is the name of a row');
select is_empty($$select * from unnest('{älg,b,B.,alba,Uppsa}'::text[]) as q (query) cross join api.search_lookup('plant', q.query, threshold => 0.5) as s where s.match$$, 'nor is a part of a word a match, nor a letter');
select is_empty($$select * from unnest('{Strängnäs 425,Strängnäs Raä 425,Forsa 71:1,Umeå Stadsliden 6:7,C15 dating}'::text[]) as q (query) cross join api.search_lookup('plant', q.query, threshold => 0.5) as s where s.match$$, 'nor a number that differs');
select is((select s.id from api.search_lookup('plant', 'Ua-8418', threshold => 0, explain => true) as s where s.rank = 1 and not s.scores -> 'features' ? 'numbers_differ'), '21', 'the number of a laboratory code is its own');
select results_eq(
    $$select q.query, bool_or(s.match) from unnest('{WGS84 UTM zone 33,WGS84 UTM zone 33S,WGS84 UTM zone 33N}'::text[]) as q (query)
    cross join api.search_lookup('plant', q.query, threshold => 0) as s group by q.query order by 1$$,
    $$values ('WGS84 UTM zone 33', false), ('WGS84 UTM zone 33N', true), ('WGS84 UTM zone 33S', false)$$, 'a letter after a number belongs to it'
);
select is((select s.id from api.search_lookup('plant', 'Umeå Stadsliden 6:6') as s where s.match), '17', 'the same numbers match');
select results_eq($$select s.id, s.match from api.search_lookup('plant', '1999', threshold => 0) as s order by s.rank limit 1$$, $$values ('1', true)$$, 'a number is first of all a name');
select results_eq(
    $$select s.rows, s.retired from api.search_lookups('plant', '["Potentilla sp"]') as s$$,
    $$values ('[]'::jsonb, '[{"id": "18", "value": "Potentilla sp"}]'::jsonb)$$, 'the name of a retired row is its own'
);
select is((select s.rows -> 0 ->> 'id' from api.search_lookups('plant', '["Potentilla sp."]') as s), '19', 'a row in use has its own, too');
select results_eq($$select s.rows, s.retired -> 0 ->> 'id' from api.search_lookups('plant', '["Betula alba"]') as s$$, $$values ('[]'::jsonb, '4')$$, 'it matches no neighbour');
select is((select s.rows -> 0 ->> 'id' from api.search_lookups('plant', '["Betula alba"]', active_only => false) as s), '4', 'and is found if it is asked for');
select results_eq(
    $$select s.id, s.score, s.match from api.search_lookup('plant', 'Betula', threshold => 0, k_final => 2) as s$$,
    $$select s.id, s.score, s.match from api.search_lookup('plant', 'Betula', threshold => 0, k_final => 100) as s where s.rank <= 2$$,
    'a limit changes neither scores nor order'
);
select ok(
    (select r.rows -> 0 ->> 'match' = 'false' and (r.rows -> 0 ->> 'score')::real between 0.02 and 0.6 from api.reconcile_lookups('[{"query": "P. lepidus"}]', 'plant') as r),
    'curators see the near ones'
);
select is((select r.rows from api.reconcile_lookups('[{"query": "P. lepidus", "near": false}]', 'plant') as r), '[]'::jsonb, 'unless they do not want to');
select ok(
    (select bool_and((x.row ->> 'score')::real >= 0.02) from api.reconcile_lookups('[{"query": "P. lepidus", "limit": 100}, {"query": "Betula", "limit": 100}]') as r
    cross join jsonb_array_elements(r.rows) as x (row)),
    'of several tables none is nearer than its share'
);
select is_empty(
    $$select f.query, sum(f.score)
    from (
        select q.query, api.normalize(s.name) as label, max(s.score::double precision) as score
        from unnest('{P. lepidus,Betula,Betula pendula,Betula nan,Potentilla sp,1999,10,1,Umeå Stadsliden 6:6,Raä 443,Uppsala,UTM 33,nymph alba}'::text[]) as q (query)
        cross join api.search_lookup('plant', q.query, threshold => 0, k_final => 100) as s
        group by 1, 2
    ) as f
    group by f.query
    having sum(f.score) > 1.000001$$, -- reals have seven digits
    'whatever the query, the probabilities of all names are at most 1'
);
select is_empty($$select * from unnest('{mm2,mm²,m3}'::text[]) as q (query) cross join api.search_lookup('plant', q.query, threshold => 0.5) as s where s.match$$, 'a short word with digits is no other one');
select results_eq($$select s.id from api.search_lookup('plant', 'm²') as s where s.match$$, $$values ('28')$$, 'the same in other characters is the same');
select results_eq(
    $$select q.query, s.id from unnest('{C,°C,k.}'::text[]) as q (query) cross join api.search_lookup('plant', q.query) as s where s.match order by 1$$,
    $$values ('k.', '30'), ('°C', '29')$$, 'a single letter matches this letter only'
);
select is_empty(
    $$select * from unnest('{not Salix caprea,ej Salix caprea,Salix caprea or alba,Salix caprea eller rubra,Salix caprea var. alba,Salix caprea ssp. nova}'::text[]) as q (query)
    cross join api.search_lookup('plant', q.query, threshold => 0.5) as s where s.match$$,
    'a text that denies a name, or adds to it, is no match'
);
select results_eq(
    $$select q.query, s.id from unnest('{Carex nigra or rostrata,Carex nigra or rostrat,Carex flava ssp. alpina}'::text[]) as q (query) cross join api.search_lookup('plant', q.query) as s where s.match order by 1$$,
    $$values ('Carex flava ssp. alpina', '34'), ('Carex nigra or rostrat', '33'), ('Carex nigra or rostrata', '33')$$, 'unless the name says the same'
);
select is_empty($$select * from api.search_lookup('plant', 'Salix caprea, Salix rubra', threshold => 0.5) as s where s.match$$, 'two whole names are no match of one');
select results_eq($$select s.id, s.match from api.search_lookup('plant', '%') as s$$, $$values ('35', true)$$, 'an alias without letters and digits is found');

select * from finish();
rollback;
