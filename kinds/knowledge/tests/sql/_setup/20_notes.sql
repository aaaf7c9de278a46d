-- A note as its file would be read.
create function t.note(
    p_name text, p_text text, p_domain text default 'databases', p_problem text default null
) returns jsonb
language sql as $$
    select jsonb_build_object(
        'name', p_name, 'domain', p_domain, 'title', initcap(p_name), 'version', '1', 'source', 'A book', 'verified', true,
        'reviewed', '2026-01-01', 'digest', encode(sha256(convert_to(p_text, 'UTF8')), 'hex'), 'problem', p_problem,
        'passages', jsonb_build_array(jsonb_build_object('heading', 'About ' || p_name, 'text', p_text, 'asked', 'How about it?'))
    );
$$;
comment on function t.note(text, text, text, text) is 'A note with one passage, as its file would be read.';
