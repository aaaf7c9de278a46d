begin;
select plan(2);

create temporary table packet as select k.* from jsonb_populate_record(null::decisions.packet, '{
    "commit_hash": "abcdef1", "evidence": [
        {"id": "E1", "level": "structure", "kind": "file", "path": "a.py", "line": 3, "text": "38 of 40"}, {"id": "E2", "level": "excerpts", "kind": "commit", "commit": "abc", "text": "x"},
        {"id": "E3", "level": "excerpts", "kind": "file", "path": "b.py", "text": "y"}
    ]
}') as k;
select is(
    (select decisions.candidate_of(k::text::decisions.packet, '{"pattern": "Use it.", "polarity": "avoid", "status": "canonical", "origin": "bootstrap", "confidence": "high", "importance": 99, "miner": "x", "evidence": ["E1", "E3", "E3"]}') from packet as k),
    '{
        "pattern": "Use it.", "polarity": "avoid", "origin": "agent_submitted", "confidence": "low", "valid_from": "abcdef1", "importance": 7, "evidence": [
            {"kind": "file", "path": "a.py", "line": 3, "excerpt": "38 of 40", "role": "supports"}, {"kind": "file", "path": "b.py", "excerpt": "y", "role": "supports"}
        ]
    }', 'the evidence is that of the packet, and origin and confidence are given'
);
select is((select decisions.candidate_of(k::text::decisions.packet, '{"pattern": "Use it.", "evidence": ["E1", "E2", "E3", "E4", "E5"]}') -> 'importance' from packet as k), '11', 'more than four pieces do not make it more important');

select * from finish();
rollback;
