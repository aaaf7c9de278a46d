begin;
select plan(2);

select results_eq(
    $$select decisions.language_of(p) from unnest('{a.py,B.PYI,a.jsx,a.ts,a.rs,a.rb,a.toml,build/Dockerfile,LICENSE}'::text[]) as p$$,
    array['python', 'python', 'javascript', 'typescript', 'rust', 'ruby', 'toml', 'dockerfile', 'license'], 'by the extension, or by a well-known name'
);
select is(decisions.language_of('src/api'), null, 'anything else may be a folder');

select * from finish();
rollback;
