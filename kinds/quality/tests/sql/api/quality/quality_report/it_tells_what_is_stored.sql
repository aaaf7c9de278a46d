begin;
select plan(9);

select t.make_project('shop', 'alice');
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1)))));
select t.scan_file('alice', 'b.py', t.scans());
select * from api.gate('b.py');
select is(jsonb_array_length(api.quality_report() -> 'files'), 2, 'all files');
select is(api.quality_report('a.py') #>> '{files,0,findings,0,rule}', 'F401', 'the findings of one');
select is(api.quality_report('b.py') #>> '{files,0,gate,passed}', 'true', 'the last verdict');
select is(api.quality_report('b.py') #> '{files,0,suppressions}', '[]'::jsonb, 'no word tells a checker to be silent');
select t.scan_file(
    'alice', 'd.py',
    t.scans(jsonb_build_object('suppressions', jsonb_build_array(t.finding('suppression-noqa', 1, 'low', null, true) || '{"name": "# noqa"}')))
);
select is(api.quality_report('d.py') #>> '{files,0,suppressions,0,word}', '# noqa', 'the words in a file');
select is(api.quality_report('c.py') -> 'files', '[]'::jsonb, 'a file that nobody scanned');
select service.record_step('tapps_score_file', 'a.py', elapsed_ms => 12);
select is(api.quality_stats() #>> '{tools,tapps_score_file,uses}', '1', 'uses are counted');
select is(api.quality_stats() #>> '{gates,standard,passed}', '1', 'and gates');
select throws_ok($$select api.give_quality_feedback('tapps_score_file', 11)$$, 'QM422', null, 'a rating has a range');

select * from finish();
rollback;
