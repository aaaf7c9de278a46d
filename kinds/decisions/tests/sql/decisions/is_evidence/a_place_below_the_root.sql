begin;
select plan(6);

select ok(decisions.is_evidence('{"kind": "file", "path": "src/a.py", "line": 3, "end_line": 4, "blob": "0a"}'), 'a place in a file');
select ok(decisions.is_evidence('{"kind": "commit", "commit": "0a"}'), 'a commit needs no path');
select is_empty(
    $$select p.piece from unnest(array[
        'null', '[]', '{}', '{"kind": "file"}', '{"kind": "rumour", "path": "a.py"}', '{"kind": "file", "path": "/etc/passwd"}',
        '{"kind": "file", "path": "src/../../a.py"}', '{"kind": "file", "path": "a.py", "line": 0}', '{"kind": "file", "path": "a.py", "end_line": "x"}',
        '{"kind": "file", "path": "a.py", "blob": "-h"}', '{"kind": "file", "path": "a.py", "line_hash": "Z"}', '{"kind": "commit", "commit": "HEAD"}'
    ]::jsonb[]) as p (piece) where decisions.is_evidence(p.piece)$$,
    'a path below the root, numbers of lines, and ids of git'
);
select is_empty(
    $$select p.path from unnest(array['""', '{"a": 1}', '["a.py"]', '1', '"a\u0085.py"', '"\u202ea.py"', '"a\u200b.py"', '"a\u2028b.py"', '"a\nb.py"']::jsonb[]) as p (path)
    where decisions.is_evidence(jsonb_build_object('kind', 'file', 'path', p.path, 'commit', '0a'))$$,
    'a path is a text that can be seen whole'
);
select ok(decisions.is_evidence('{"kind": "commit", "path": null, "commit": "0a"}'), 'a path of null is none');
select ok(not decisions.is_evidence(jsonb_build_object('kind', 'file', 'path', repeat('a', 1001))), 'a path that is too long');

select * from finish();
rollback;
