-- catalog.match_rules: each rule is matched with all texts before the next rule is used, because PostgreSQL caches only
-- a few compiled regular expressions.
create or replace function catalog.match_rules(p_members text[], p_texts text[])
returns table (place bigint, rule text, severity text, evidence text)
language plpgsql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_rule catalog.scan_rule;
begin
    for v_rule in
        select * from catalog.scan_rule as r where r.enabled and r.pattern is not null
    loop
        return query
        select
            d.position,
            v_rule.name,
            v_rule.severity,
            catalog.visible_text(
                left(regexp_substr(d.text, '.{0,60}(?:' || v_rule.pattern || ').{0,60}', 1, 1, 'i'), 300)
            )
        from unnest(p_members, p_texts) with ordinality as d (member, text, position)
        where (v_rule.members = '{}' or d.member = any(v_rule.members))
            -- The fast tests come first: they look for characters beyond ASCII, and then for words.
            and case
                when octet_length(v_rule.words) > length(v_rule.words) and octet_length(d.text) = length(d.text)
                    then false
                when d.text ~* v_rule.words then d.text ~* v_rule.pattern
                else false
            end;
    end loop;
end
$function$;
comment on function catalog.match_rules(text[], text[]) is
'Finds the scan rules that match the given texts. Arguments: p_texts: the texts; p_members: for each text, the member '
'of the definition from which the text comes. Returns for each match: the position of the text in p_texts (from 1), '
'the rule, the severity of the rule, and the matching words with the surrounding text.';
