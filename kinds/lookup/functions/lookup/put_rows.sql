-- lookup.put_rows: if a curator has changed a row, the change takes precedence over the given values. The given values
-- are stored separately, so that the change can be undone.
-- Writes: lookup.lookup_row, lookup.lookup_name, lookup.lookup_table, cards.
create or replace function lookup.put_rows(
    p_table_id integer, p_rows jsonb, p_replaces boolean, p_among text[] default null
)
returns table (added integer, changed integer, unchanged integer, removed integer)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many rows there are
set work_mem = '64MB'
as $function$
declare
    v_now constant timestamptz := core.now();
    v_before constant integer := (select count(*) from lookup.lookup_row as r where r.table_id = p_table_id);
    v_known bigint[];
    v_written bigint[];
    v_gone bigint[];
begin
    perform lookup.check_rows(p_rows);
    perform search.lock_kind('lookup');

    select array_agg(r.id) into v_known from lookup.lookup_row as r where r.table_id = p_table_id;
    with given as materialized (
        select
            g.id as key,
            g.value,
            array(
                select distinct a.name collate core.c_utf8
                from unnest(g.aliases) as a (name)
                where btrim(a.name) <> '' and a.name <> g.value
                order by 1
            ) as aliases,
            coalesce(g.language, '') as language,
            coalesce(g.active, true) as active,
            coalesce(g.domain, '') as domain,
            coalesce(g.provenance, '{}') as provenance,
            coalesce(jsonb_strip_nulls(g.properties), '{}') as properties
        from jsonb_to_recordset(p_rows) as g (
            id text,
            value text,
            aliases text[],
            language text,
            active boolean,
            domain text,
            provenance jsonb,
            properties jsonb
        )
    ),

    meant as (
        select
            g.key,
            g.value,
            array(
                select distinct a.name collate core.c_utf8
                from unnest(g.aliases || c.aliases) as a (name)
                where a.name <> g.value
                order by 1
            ) as aliases,
            g.language,
            g.active and not coalesce(c.is_retired, false) as active,
            g.domain,
            g.provenance || coalesce(c.provenance, '{}') as provenance,
            g.properties,
            case
                when c.key is not null
                    then jsonb_build_object('aliases', g.aliases, 'active', g.active, 'provenance', g.provenance)
            end as given
        from given as g
        left join (
            select
                x.key,
                coalesce(array_agg(x.alias) filter (where x.kind = 'alias'), '{}') as aliases,
                bool_or(x.kind = 'retirement') as is_retired,
                coalesce((array_agg(x.provenance) filter (where x.kind = 'provenance'))[1], '{}') as provenance
            from lookup.curation as x
            where x.table_id = p_table_id
            group by x.key
        ) as c on c.key = g.key
    ),

    hashed as (
        select m.*, sha256(convert_to(to_jsonb(m)::text, 'UTF8')) as content_hash from meant as m
    ),

    written as (
        insert into lookup.lookup_row as r (
            table_id, key, value, aliases, language, active, domain, provenance, properties, given, facts, evidence,
            content_hash, created_at, updated_at
        )
        select
            p_table_id,
            h.key,
            h.value,
            h.aliases,
            h.language,
            h.active,
            h.domain,
            h.provenance,
            h.properties,
            h.given,
            lookup.facts(h.properties),
            (
                select coalesce(
                    ' '
                        || lookup.normalize(left(string_agg(p.value, ' ' order by p.key collate core.c_utf8), 600))
                        || ' ',
                    ''
                )
                from jsonb_each_text(h.properties) as p
            ),
            h.content_hash,
            v_now,
            v_now
        from hashed as h
        left join lookup.lookup_row as b on b.table_id = p_table_id and b.key = h.key
        where b.content_hash is distinct from h.content_hash
        order by h.key collate core.c_utf8
        on conflict (table_id, key) do update
        set
            value = excluded.value,
            aliases = excluded.aliases,
            language = excluded.language,
            active = excluded.active,
            domain = excluded.domain,
            provenance = excluded.provenance,
            properties = excluded.properties,
            given = excluded.given,
            facts = excluded.facts,
            evidence = excluded.evidence,
            content_hash = excluded.content_hash,
            updated_at = excluded.updated_at
        returning r.id
    ),

    gone as (
        select r.id
        from lookup.lookup_row as r
        where p_replaces
            and r.table_id = p_table_id
            and (p_among is null or r.key = any(p_among))
            and not exists (select from given as g where g.key = r.key)
    )

    select
        (select coalesce(array_agg(w.id), '{}') from written as w),
        (select coalesce(array_agg(g.id), '{}') from gone as g)
    into v_written, v_gone;

    perform lookup.index_names(p_table_id, v_written, v_gone);
    delete from lookup.lookup_row as r where r.id = any(v_gone);
    update lookup.lookup_table as t
    set
        rows = s.rows,
        properties = s.properties,
        version = t.version + (cardinality(v_written) + cardinality(v_gone) > 0)::integer,
        loaded_at = v_now
    from (
        select
            count(*) as rows,
            array(
                select distinct split_part(f.fact, '=', 1) collate core.c_utf8
                from lookup.lookup_row as x
                cross join unnest(x.facts) as f (fact)
                where x.table_id = p_table_id
                order by 1
            ) as properties
        from lookup.lookup_row as r
        where r.table_id = p_table_id
    ) as s
    where t.id = p_table_id;

    added := (select count(*) from unnest(v_written) as w (id) where v_known is null or w.id <> all(v_known));
    changed := cardinality(v_written) - added;
    unchanged := v_before - changed - cardinality(v_gone);
    removed := cardinality(v_gone);
    return next;
end
$function$;
comment on function lookup.put_rows(integer, jsonb, boolean, text[]) is
'Stores the rows of a lookup table. The function writes and indexes only rows that have changed. Arguments: '
'p_table_id: id of the lookup table; p_rows: JSON array of {id, value, aliases, language, active, domain, provenance, '
'properties, line} (line: number of the line in the loaded file, for error messages); p_replaces: true to remove rows '
'that are not in p_rows; p_among: ids of the rows that may be removed (null: any row may be removed). Returns the '
'numbers of added, changed, unchanged and removed rows. Raises QM422 lookup_rows_invalid.';
