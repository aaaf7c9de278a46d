create or replace function core.our_columns()
returns table (
    relation text, name text, attname name, attnotnull boolean, attidentity "char", attgenerated "char", type text,
    expression text, generated text
)
language sql
stable parallel safe security invoker
rows 1500
set search_path = pg_catalog, pg_temp
as $function$
    select
        r.name as relation, format('%s.%I', r.name, a.attname) as name, a.attname, a.attnotnull, a.attidentity,
        a.attgenerated,
        format_type(a.atttypid, a.atttypmod) as type,
        case when a.attgenerated = '' then d.expression end as expression,
        case when a.attgenerated <> '' then d.expression end as generated
    from core.our_relations() as r
    inner join pg_attribute as a on r.oid = a.attrelid
    left join (
        select f.adrelid, f.adnum, pg_get_expr(f.adbin, f.adrelid) as expression from pg_attrdef as f
    ) as d on a.attrelid = d.adrelid and a.attnum = d.adnum
    where r.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped;
$function$;
comment on function core.our_columns() is
'Lists the columns of the tables in the schemas of Quartermaster. Returns for each column: the qualified name of the '
'table; the qualified name of the column; its name without the table; whether it refuses null; its identity and '
'generation, as in pg_attribute; its type; its default; and the expression that generates its values.';
