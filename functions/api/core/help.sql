-- api.help: the comment on a function or view contains the sentence and the example, so kinds bring their own, and the
-- reference contains the same texts. An example is between backticks after the word "Example:". Rights decide only
-- which lines are useful to the caller: everybody may read the comments in the system catalog.
-- Reads: the system catalog.
create or replace function api.help(topic text default null)
returns table (name text, purpose text, example text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_topic constant text := lower(btrim(help.topic) collate core.c_utf8);
    v_words constant text[] := string_to_array(v_topic, ' ');
    v_roles constant text[] := array(
        select 'qm_' || r.name
        from unnest('{user,operator,admin}'::text[]) as r (name)
        where r.name = 'user' or policy.has_role(r.name)
    );
begin
    return query
    with object as materialized (
        select
            c.relname::text as name,
            0 as place,
            format('select * from %I limit 10;', c.relname) as form,
            obj_description(c.oid, 'pg_class') as comment
        from pg_class as c
        where c.relnamespace = 'api'::regnamespace
            and c.relkind = 'v'
            and c.relowner = 'qm_owner'::regrole
            and exists (select from unnest(v_roles) as r (name) where has_table_privilege(r.name, c.oid, 'select'))
        union all
        select
            p.proname,
            1,
            format('select * from %I(%s);', p.proname, (
                select string_agg(format('%I => %s', a.name, '...'), ', ' order by a.place)
                from unnest(p.proargnames) with ordinality as a (name, place)
                where a.place <= p.pronargs - p.pronargdefaults
            )),
            obj_description(p.oid, 'pg_proc')
        from pg_proc as p
        where p.pronamespace = 'api'::regnamespace
            and p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
            and exists (select from unnest(v_roles) as r (name) where has_function_privilege(r.name, p.oid, 'execute'))
    ),

    described as (
        select
            o.name,
            o.place,
            o.comment,
            o.form,
            substring(o.comment from '^.*?\.(?= |$)' collate core.c_utf8) as purpose,
            substring(o.comment from 'Example: `([^`]+)`' collate core.c_utf8) as example
        from object as o
    )

    select
        d.name,
        case when d.name = v_topic then d.comment else d.purpose end,
        coalesce(d.example, d.form)
    from described as d
    where case
        when v_topic is null then d.example is not null
        else not exists (
            select from unnest(v_words) as w (word)
            where strpos(lower(concat_ws(' ', d.name, d.comment) collate core.c_utf8), w.word) = 0
        )
    end
    order by
        coalesce(d.name = v_topic, false) desc,
        coalesce(strpos(d.name, v_topic) > 0, false) desc,
        d.place,
        d.name collate core.c_utf8;
    if not found then
        perform core.fail(
            'argument_invalid',
            format('no function or view that you may use is about %L', left(help.topic, 200)),
            null,
            'Type: select * from help();'
        );
    end if;
end
$function$;
comment on function api.help(text) is
'Lists views and functions for people who use psql, each with what it is for and an example that runs as it stands. '
'Example: `select * from help(''receipt'');` Argument topic: a name, or words that must occur in the name or in the '
'description, to list all views and functions about them (null: only the most useful ones). Lists only what the caller '
'may use. Returns for each view or function: its name; its purpose (if the topic is its name: its whole description); '
'and an example. If a function has no example, the column contains the call with the arguments that it needs. Raises '
'QM422 argument_invalid if nothing is about the topic.';
alter function api.help owner to qm_reader;
grant execute on function api.help to qm_user;
