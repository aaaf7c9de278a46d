-- knowledge.environments_changed: trigger that removes the distributions that no environment holds any more, and shares
-- the others again. It waits for whoever reads a folder at the same time: their environment may hold the distribution.
create or replace function knowledge.environments_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_unused bigint[];
begin
    perform search.lock_kind('symbol');
    v_unused := array(
        select d.id
        from knowledge.distribution as d
        where d.id in (select g.distribution_id from gone as g)
            and not exists (select from knowledge.environment_distribution as h where h.distribution_id = d.id)
    );
    if cardinality(v_unused) > 0 then
        perform search.remove_cards('symbol', array(select s.id from knowledge.symbol as s where s.distribution_id = any(v_unused)));
        with removed as (
            delete from knowledge.distribution as d where d.id = any(v_unused)
            returning d.audience_id
        )

        delete from policy.audience as a using removed as r where a.id = r.audience_id;
    end if;
    perform knowledge.share(array(select g.distribution_id from gone as g));
    return null;
end
$function$;
comment on function knowledge.environments_changed() is
'Trigger that removes a distribution, with its objects and cards, as soon as no environment contains the distribution. '
'It runs after each statement that deletes rows of knowledge.environment_distribution. It reads the deleted rows from a '
'transition table called "gone".';
