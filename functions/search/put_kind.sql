-- search.put_kind: a kind that is indexed by texts gets a partial index over labels. The option fastupdate of this
-- index is off. Otherwise, after an import, the planner would consider the index slow because of its pending list, and
-- would read the whole table. All cards of the kind are weighed again if the field weights change, or if a migration
-- resets weighed_length.
-- Functions are given by name, such as catalog.tool_card, and must exist. Only the folder that created a kind can
-- update the kind; the installer names the folder in the setting qm.kind_folder.
-- To add a setting of kinds, add a column to search.kind, and an argument and a member of v_declared to this function.
-- The functions that check and store a declaration need no change.
-- Writes: search.kind, search.lexical; creates indexes.
create or replace function search.put_kind(
    p_name text,
    p_description text,
    p_field_weights real[] default '{2, 1, 1, 0.5}',
    p_fields text[] default '{name, title, description, parameters}',
    p_feature_set text default 'text',
    p_index_type text default 'text',
    p_outcomes text default 'none',
    p_card_function text default null,
    p_describe_function text default null,
    p_texts_function text default null,
    p_store_function text default null,
    p_problem_function text default null,
    p_core_function text default null,
    p_not_found text default 'card_not_found',
    p_name_member text default 'name',
    p_naming text default 'callable',
    p_definition_function text default null,
    p_version_function text default null,
    p_labels_function text default null,
    p_availability_function text default null,
    p_keep_setting text default 'receipt.keep',
    p_describes_origin boolean default false,
    p_is_default boolean default false
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_folder constant text := coalesce(current_setting('qm.kind_folder', true), '');
    v_before constant real[] := (select k.field_weights from search.kind as k where k.name = p_name);
    v_declared constant jsonb := jsonb_build_object(
        'name', p_name,
        'description', p_description,
        'field_weights', p_field_weights,
        'fields', p_fields,
        'feature_set', p_feature_set,
        'index_type', p_index_type,
        'outcomes', p_outcomes,
        'card_function', p_card_function,
        'describe_function', p_describe_function,
        'texts_function', p_texts_function,
        'store_function', p_store_function,
        'problem_function', p_problem_function,
        'core_function', p_core_function,
        'not_found', p_not_found,
        'name_member', p_name_member,
        'naming', p_naming,
        'definition_function', p_definition_function,
        'version_function', p_version_function,
        'labels_function', p_labels_function,
        'availability_function', p_availability_function,
        'keep_setting', p_keep_setting,
        'describes_origin', p_describes_origin,
        'is_default', p_is_default
    );
begin
    perform search.require_declaration(v_declared, v_folder);
    perform search.store_declaration(v_declared, v_folder);
    perform search.create_vector_indexes();
    if p_index_type = 'names' then
        return; -- the kind is indexed by names, not by texts
    end if;
    execute format(
        'create index if not exists %I on search.card using gin (label ext.gin_trgm_ops) with (fastupdate = off) '
        'where kind = %L',
        'card_' || p_name || '_label_idx',
        p_name
    );
    perform search.weigh_kind(p_name, p_field_weights, v_before);
end
$function$;
comment on function search.put_kind(
    text,
    text,
    real[],
    text[],
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    text,
    boolean,
    boolean
) is
'Creates or updates a kind of card. Arguments: the columns of the table search.kind; the comments on these columns '
'describe the arguments. For a function, give its name, such as catalog.tool_card. Raises QM422 kind_invalid.';
