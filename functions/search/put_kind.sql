-- search.put_kind: creates or updates a kind of card. A kind that is indexed by texts gets a partial index over labels.
-- The option fastupdate of this index is off: after an import, the planner would otherwise consider the index slow
-- because of its pending list, and would read the whole table. All cards of the kind are weighed again if the field
-- weights change, or if a migration resets weighed_length.
-- Functions are given by name, such as catalog.card, and must exist. Only the folder that created a kind can update the
-- kind; the installer names the folder in the setting qm.kind_folder.
-- Raises: QM422 kind_invalid.  Writes: search.kind, search.lexical; creates indexes.
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
    v_before constant real[] := (select k.field_weights from search.kind as k where k.name = p_name);
    v_folder constant text := coalesce(current_setting('qm.kind_folder', true), '');
    v_owner constant text := (select k.folder from search.kind as k where k.name = p_name);
    v_missing text;
    v_default text;
begin
    if (p_name ~ '^[a-z][a-z_]{0,30}$') is not true then
        perform core.fail('kind_invalid', format('%L is not a valid name for a kind', left(p_name, 200)), null, 'Use 1 to 31 lower-case letters and underscores; start with a letter.');
    end if;
    -- Without this check, a folder could replace a kind that belongs to another folder or to Quartermaster.
    if v_owner <> v_folder then
        perform core.fail(
            'kind_invalid', format('the kind %L already exists, and belongs to %s', p_name, coalesce('the folder ' || nullif(v_owner, ''), 'Quartermaster')), null,
            'Give the kind another name.'
        );
    end if;
    select f.name into v_missing
    from unnest(
        array[
            p_card_function, p_describe_function, p_texts_function, p_store_function, p_problem_function, p_core_function,
            p_definition_function, p_version_function, p_labels_function, p_availability_function
        ]
    ) as f (name)
    where f.name is not null and to_regproc(f.name) is null
    limit 1;
    if v_missing is not null then
        perform core.fail('kind_invalid', format('the kind %L names a function %s that does not exist or is overloaded', p_name, v_missing));
    end if;

    if not exists (select from core.error_code as e where e.slug = p_not_found) then
        perform core.fail('kind_invalid', format('the kind %L names an error %s that is not registered', p_name, p_not_found));
    end if;
    select k.name into v_default from search.kind as k where p_is_default and k.is_default and k.name <> p_name;
    if v_default is not null then
        perform core.fail(
            'kind_invalid', format('the kind %L cannot be the default, because %L is already the default', p_name, v_default)
        );
    end if;
    insert into search.kind as k (
        name, description, field_weights, fields, feature_set, index_type, outcomes, card_function, describe_function, texts_function,
        store_function, problem_function, core_function, not_found, name_member, naming, definition_function, version_function, labels_function,
        availability_function, keep_setting, describes_origin, is_default, folder
    )
    values (
        p_name, p_description, p_field_weights, p_fields, p_feature_set, p_index_type, p_outcomes, p_card_function, p_describe_function,
        p_texts_function, p_store_function, p_problem_function, p_core_function, p_not_found, p_name_member, p_naming,
        p_definition_function, p_version_function, p_labels_function, p_availability_function, p_keep_setting, p_describes_origin,
        p_is_default, v_folder
    )
    on conflict (name) do update
    set
        description = excluded.description,
        field_weights = excluded.field_weights,
        fields = excluded.fields,
        feature_set = excluded.feature_set,
        index_type = excluded.index_type,
        outcomes = excluded.outcomes,
        card_function = excluded.card_function,
        describe_function = excluded.describe_function,
        texts_function = excluded.texts_function,
        store_function = excluded.store_function,
        problem_function = excluded.problem_function,
        core_function = excluded.core_function,
        not_found = excluded.not_found,
        name_member = excluded.name_member,
        naming = excluded.naming,
        definition_function = excluded.definition_function,
        version_function = excluded.version_function,
        labels_function = excluded.labels_function,
        availability_function = excluded.availability_function,
        keep_setting = excluded.keep_setting,
        describes_origin = excluded.describes_origin,
        is_default = excluded.is_default;

    perform search.create_vector_indexes();
    if p_index_type = 'names' then
        return; -- the kind is indexed by names, not by texts
    end if;
    execute format(
        'create index if not exists %I on search.card using gin (label ext.gin_trgm_ops) with (fastupdate = off) where kind = %L',
        'card_' || p_name || '_label_idx', p_name
    );

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
        perform search.store_words(p_name, null);
    end if;
end
$function$;
comment on function search.put_kind(text, text, real[], text[], text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, boolean, boolean) is
'Creates or updates a kind of card. Arguments: the columns of the table search.kind; the comments on these columns '
'describe the arguments. For a function, give its name, such as catalog.tool_card.';
