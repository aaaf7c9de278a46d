-- Some of everything about projects, which installations have had since 26 November 2026.
select api.add_project('barn', '/srv/barn');
select api.put_project_member('bot', project => 'local/barn');

insert into knowledge.environment (folder, project_id, indexed_at) select '/srv/barn', p.id, now() from projects.project as p;
select e.id as environment from knowledge.environment as e \gset
select p.id as local from policy.principal as p where p.name = 'local' \gset
set session authorization qm_service;
set role qm_admin;
select set_config('qm.principal', :'local', false);

select count(*) from api.put_candidates('[
    {"pattern": "Use the clock of the barn.", "scope": {"kind": "path", "value": "src/api/**"}, "polarity": "do",
     "confidence": "high", "origin": "bootstrap", "miner": "test",
     "evidence": [{"kind": "file", "path": "src/api/users.py", "line": 3, "role": "supports", "excerpt": "an excerpt"}]},
    {"pattern": "Never sleep.", "scope": {"kind": "path", "value": "src/**"}, "polarity": "avoid",
     "confidence": "high", "origin": "bootstrap", "miner": "test",
     "evidence": [{"kind": "file", "path": "src/db.py", "line": 9, "role": "supports", "excerpt": "an excerpt"}]}
]', 'barn');
select count(*) from api.decisions_for('src/api/users.py', 'add a clock');

select store_scans('src/api/users.py', repeat('a', 40), (
    select jsonb_agg(jsonb_build_object(
        'tool', t.name, 'tool_version', '1', 'config_hash', '', 'context_hash', '', 'status', 'ok', 'reason', '',
        'elapsed_ms', 3, 'metrics', '{}'::jsonb,
        'findings', case when t.name = 'ruff' then '[{"rule": "F821", "message": "no such name", "severity": "high",
            "cwe": null, "line": 4, "first_column": 0, "fingerprint": "f", "remedy": "Mend it.", "steps": [],
            "is_hint": false}]'::jsonb else '[]' end
    ))
    from unnest('{bandit,ruff,secrets,mypy,radon}'::text[]) as t (name)
), 'barn');
select count(*) from api.gate('src/api/users.py', project => 'barn');
select o.session from api.open_quality_session('barn') as o \gset
select api.session_notes('save', 'plan', 'Feed them first', :'session', 'barn');
select api.give_quality_feedback('tapps_score_file', 4, 'helps', 'barn');

select count(*) from api.store_distributions(:environment, '[
    {"name": "parcels", "version": "1.0", "digest": "00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff", "modules": ["parcels"], "summary": "Parcels", "symbols": [
        {"path": "parcels.send", "paths": ["parcels.core.send"], "kind": "function", "signature": "send(parcel)",
         "file": "parcels/core.py", "line": 7, "passage": "Sends a parcel.", "parameters": ["parcel"], "deprecated": "",
         "is_async": false, "is_public": true, "priors": [0,1,0,1,2,1,0,0,1,0,0,0,0,0,1],
         "fields": ["send", "Sends a parcel.", "parcel", ""], "embedding_text": "send: Sends a parcel."}]}
]');
select count(*) from api.put_notes(jsonb_build_array(jsonb_build_object(
    'name', 'hay', 'domain', 'databases', 'title', 'Hay', 'version', '1', 'source', 'A book', 'verified', true,
    'reviewed', '2026-01-01', 'digest', repeat('ab', 32), 'problem', null,
    'passages', '[{"heading": "About hay", "text": "The hay is dry in July.", "asked": "When is the hay dry?"}]'::jsonb
)), 'barn');
select api.record_missed_lookup('requests', 'sessions');
select count(*) from api.ask_expert('When is the hay dry?');
reset session authorization;

update policy.principal set curates_decisions = true where name = 'local';
select api.approve_decisions(array(select d.id from decisions.decision as d order by d.id limit 1), 'it holds', 'barn');
select api.waive('src/api/users.py', 'coverage', 'It is made elsewhere.', now() + interval '1 day', 'barn');
