begin;
select plan(3);

select search.put_kind('zz_own', 'A kind of a user''s own');
create function pg_temp.refusal(statement text) returns text language plpgsql as $function$
declare
    v_slug text;
    v_hint text;
begin
    execute statement;
    return 'nothing was raised';
exception when sqlstate 'QM404' then
    get stacked diagnostics v_slug = constraint_name, v_hint = pg_exception_hint;
    return v_slug || ': ' || v_hint;
end
$function$;
create function pg_temp.kinds() returns text language sql as $function$
    select 'kind_not_found: Use one of: ' || string_agg(k.name, ', ' order by k.name collate "C") || '.' from search.kind as k
$function$;

select is(pg_temp.refusal($$select search.refuse_kind('no_kind')$$), pg_temp.kinds(), 'every kind, in order');
select ok(pg_temp.kinds() like '%, zz_own.', 'a kind of a user''s own is among them');
select t.make_principal('alice'), t.read_as('alice');
select is(
    array[
        pg_temp.refusal($$select * from api.search_cards('x', '{no_kind}')$$),
        pg_temp.refusal($$select * from api.describe_card('no_kind', 'x')$$),
        pg_temp.refusal($$select api.feature_names('no_kind')$$)
    ],
    array_fill(pg_temp.kinds(), array[3]),
    'a caller of each operation reads them'
);

select * from finish();
rollback;
