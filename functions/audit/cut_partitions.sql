-- Writes: audit.cut, audit.record, audit.signature; drops tables audit.record_YYYY_MM.
create or replace function audit.cut_partitions(p_keep_months integer, p_dry_run boolean default false)
returns table (partition text, records bigint, first_id bigint, last_id bigint)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $function$
declare
    v_oldest_kept constant text := to_char(core.now() - make_interval(months => p_keep_months), '"record_"YYYY_MM');
    v_last_hash bytea;
begin
    -- While this lock is held, no other transaction can append a record.
    perform from audit.chain for update;
    for partition in
        select c.relname
        from pg_inherits as i
        inner join pg_class as c on c.oid = i.inhrelid
        where i.inhparent = 'audit.record'::regclass and c.relname < v_oldest_kept
        order by c.relname
    loop
        select count(*), min(r.id), max(r.id)
        into records, first_id, last_id
        from audit.record as r
        where r.tableoid = format('audit.%I', partition)::regclass;
        if not p_dry_run then
            select r.hash into v_last_hash from audit.record as r where r.id = last_id;
            insert into audit.cut (last_id, partition, first_id, last_hash, cut_at)
            values (last_id, partition, first_id, v_last_hash, core.now());
            delete from audit.signature as s where s.record_id <= last_id;
            execute format('drop table audit.%I', partition);
            perform audit.append(
                'cut',
                'audit.record',
                partition,
                null,
                jsonb_build_object('first_id', first_id, 'last_id', last_id, 'last_hash', encode(v_last_hash, 'hex'))
            );
        end if;
        return next;
    end loop;
end
$function$;
comment on function audit.cut_partitions(integer, boolean) is
'Drops the oldest monthly partitions of the audit records. The function stores the last hash of each dropped '
'partition, so that the rest of the chain can still be verified. Arguments: p_keep_months: number of whole months to '
'keep in addition to the current month; p_dry_run: true to report the partitions without dropping them. Returns the '
'partitions that were dropped, or that would be dropped, oldest first.';
