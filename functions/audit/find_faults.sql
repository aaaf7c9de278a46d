create or replace function audit.find_faults()
returns table (fault text, record_id bigint, explanation text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with cut as (
        select c.last_id, c.last_hash, c.partition, c.first_id from audit.cut as c order by c.last_id desc limit 1
    ),

    start as (
        select
            coalesce(max(c.last_id), 0) as last_id,
            coalesce((select x.last_hash from cut as x), decode(repeat('00', 32), 'hex')) as last_hash
        from cut as c
    ),

    linked as materialized (
        select
            r.id,
            r.at,
            r.hash,
            r.previous_hash,
            r.hash <> audit.record_hash(r) as is_altered,
            lag(r.id, 1, s.last_id) over chain as before_id,
            lag(r.hash, 1, s.last_hash) over chain as before_hash
        from audit.record as r
        cross join start as s
        window chain as (order by r.id, r.at)
    ),

    judged as (
        select
            l.*,
            l.previous_hash <> l.before_hash as is_unlinked,
            l.previous_hash <> l.before_hash
                and exists (select from linked as x where x.hash = l.previous_hash) as is_elsewhere,
            lag(l.is_altered, 1, false) over (order by l.id, l.at) as is_after_altered
        from linked as l
    )

    select
        'missing' collate core.c_utf8,
        j.before_id + 1,
        format('records %s to %s are missing', j.before_id + 1, j.id - 1)
    from judged as j
    where j.id > j.before_id + 1
    union all
    select
        'added', j.id, 'the id of this record exists twice, or belongs to a part of the chain that was already dropped'
    from judged as j
    where j.id <= j.before_id
    union all
    select 'reordered', j.id, format('the record was not written after record %s', j.before_id)
    from judged as j
    where j.is_altered and j.is_elsewhere
    union all
    select 'changed', j.id, 'the content does not match the hash'
    from judged as j
    where j.is_altered and not j.is_elsewhere
    union all
    select 'changed', j.before_id, format('the hash differs from the hash to which record %s refers', j.id)
    from judged as j
    where j.is_unlinked and not j.is_altered and not j.is_after_altered and j.id = j.before_id + 1
    union all
    select 'changed', s.record_id, 'the hash differs from the hash that was signed'
    from audit.signature as s
    inner join audit.record as r on r.id = s.record_id
    where r.hash <> s.hash
    union all
    select
        'missing',
        m.last_id + 1,
        format('records %s to %s are missing, and the last of them was signed', m.last_id + 1, s.record_id)
    from (select coalesce(max(r.id), (select x.last_id from start as x)) as last_id from audit.record as r) as m
    inner join (select max(s.record_id) as record_id from audit.signature as s) as s on s.record_id > m.last_id
    union all
    select
        'cut',
        c.last_id,
        format('partition %s was dropped here, but there is no record of the deletion', c.partition)
    from cut as c
    where
        not exists (
            select
            from audit.record as r
            where r.action = 'cut'
                and r.object = c.partition
                and r.after @> jsonb_build_object('last_id', c.last_id, 'last_hash', encode(c.last_hash, 'hex'))
        )
    order by 2, 1;
$function$;
comment on function audit.find_faults() is
'Finds faults in the audit chain. Returns for each fault: the name of the fault (changed, missing, reordered, added or '
'cut), the id of the first affected record, and an explanation. Returns no row if the chain is intact.';
grant execute on function audit.find_faults to qm_reader;
