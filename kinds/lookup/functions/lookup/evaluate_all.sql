-- lookup.evaluate_all: the warning names tables whose Recall@5 or MRR fell by more than the setting lookup.fall since
-- the previous run.
-- Writes: lookup.evaluation.
create or replace function lookup.evaluate_all()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tables constant integer[] := array(
        select t.id
        from lookup.lookup_table as t
        inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
        where policy.is_visible(c.rights_class, (select policy.visible_classes()))
            and exists (select from lookup.gold as g where g.table_id = t.id)
        order by t.name
    );
    v_share constant integer := ceil(
        (core.get_setting('lookup.gold_pairs'))::numeric / greatest(cardinality(v_tables), 1)
    )::integer;
    v_fall constant real := (core.get_setting('lookup.fall'))::real;
    v_table_id integer;
    v_before lookup.evaluation;
    v_now lookup.evaluation;
    v_pairs integer := 0;
    v_fallen text[] := array[]::text[];
begin
    foreach v_table_id in array v_tables loop
        select e.*
        into v_before
        from lookup.evaluation as e
        where e.table_id = v_table_id
        order by e.at desc, e.id desc
        limit 1;
        v_now := lookup.evaluate(v_table_id, v_share);
        v_pairs := v_pairs + v_now.pairs;
        if v_before.recall_5 - v_now.recall_5 > v_fall or v_before.mrr - v_now.mrr > v_fall then
            v_fallen := v_fallen || (
                select
                    format(
                        '%s: Recall@5 %s to %s, MRR %s to %s',
                        t.name,
                        round(v_before.recall_5::numeric, 3),
                        round(v_now.recall_5::numeric, 3),
                        round(v_before.mrr::numeric, 3),
                        round(v_now.mrr::numeric, 3)
                    )
                from lookup.lookup_table as t
                where t.id = v_table_id
            );
        end if;
    end loop;
    return jsonb_build_object('tables', cardinality(v_tables), 'pairs', v_pairs)
        || case when v_fallen <> '{}' then jsonb_build_object('warning', array_to_string(v_fallen, '; ')) else '{}' end;
end
$function$;
comment on function lookup.evaluate_all() is
'Evaluates every lookup table that the caller may see and that has gold pairs (strings whose correct rows are known). '
'Returns JSON {tables, pairs, warning}: the number of tables, the number of gold pairs, and a warning if the answers '
'of a table are now worse than before.';
