-- api.hide_texts: a secret that is moved to the secret store would otherwise stay readable in the history of the
-- origin.
-- Writes: catalog.origin_version.
create or replace function api.hide_texts(origin text, texts jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
    v_text record;
    v_changed integer[] := '{}'::integer[];
    v_now integer[];
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(hide_texts.origin);
    -- A long text may contain a short one.
    for v_text in
        select e.key, e.value
        from jsonb_each_text(hide_texts.texts) as e
        where e.key <> ''
        order by length(e.key) desc, e.key collate core.c_utf8
    loop
        with hidden as (
            update catalog.origin_version as v
            set connection = v.connection || jsonb_build_object(
                'command', (
                    select coalesce(jsonb_agg(replace(c.part, v_text.key, v_text.value) order by c.place), '[]')
                    from jsonb_array_elements_text(v.connection -> 'command') with ordinality as c (part, place)
                ),
                'url', replace(v.connection ->> 'url', v_text.key, v_text.value)
            )
            where
                v.origin_id = v_origin_id
                and (
                    strpos(v.connection ->> 'url', v_text.key) > 0
                    or exists (
                        select from jsonb_array_elements_text(v.connection -> 'command') as c (part)
                        where strpos(c.part, v_text.key) > 0
                    )
                )
            returning v.version
        )

        select coalesce(array_agg(h.version), '{}')
        into v_now
        from hidden as h;
        v_changed := v_changed || v_now;
    end loop;
    return (select count(distinct c.version) from unnest(v_changed) as c (version));
end
$function$;
comment on function api.hide_texts(text, jsonb) is
'Replaces secrets in the commands and URLs of all versions of an origin. Arguments: origin: name of the origin; texts: '
'object that maps each secret to the reference that takes its place. Returns the number of versions that have changed. '
'Raises QM404 origin_not_found.';
grant execute on function api.hide_texts to qm_admin;
