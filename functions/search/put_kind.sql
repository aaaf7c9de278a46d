-- search.put_kind: makes or renews a kind of card, with its own partial index over labels.
-- Without fastupdate: after an import the planner would take the pending list for a slow index and read the whole table.
-- New field weights weigh every card of the kind anew, and so does a migration that takes weighed_length away.  Writes: search.kind, search.lexical; creates indexes.
create or replace function search.put_kind(
    p_name text, p_description text, p_field_weights real[] default '{2, 1, 1, 0.5}', p_feature_set text default 'text'
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before real[];
begin
    select k.field_weights into v_before from search.kind as k where k.name = p_name;
    insert into search.kind as k (name, description, field_weights, feature_set)
    values (p_name, p_description, p_field_weights, p_feature_set)
    on conflict (name) do update set description = excluded.description, field_weights = excluded.field_weights, feature_set = excluded.feature_set;

    execute format(
        'create index if not exists %I on search.card using gin (label ext.gin_trgm_ops) with (fastupdate = off) where kind = %L',
        'card_' || p_name || '_label_idx', p_name
    );
    perform search.create_vector_indexes();
    perform search.create_words_index();

    if v_before is distinct from p_field_weights then
        update search.lexical as l
        set length = search.field_length(l.document, p_field_weights)
        where l.kind = p_name;
        update search.kind as k
        set total_length = (select coalesce(sum(l.length::double precision), 0) from search.lexical as l where l.kind = p_name)
        where k.name = p_name;
    end if;
    if v_before is distinct from p_field_weights
        or (select k.weighed_length is null from search.kind as k where k.name = p_name)
    then
        perform search.weigh(p_name, null);
    end if;
end
$function$;
comment on function search.put_kind(text, text, real[], text) is
'Makes or renews a kind. Arguments: name, description, BM25F weights of the fields name, title and origin, description, parameters; feature set.';
