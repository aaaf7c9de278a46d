-- search.create_words_index: the installer calls this function. After creating the index, the function searches two
-- texts as a trial. If the trial fails, pg_search is not used (capability pg_search). All errors of the extension are
-- caught, because any error means that the extension cannot be used.
-- The index covers two columns: the tokens of the card, which pg_search splits at spaces, and the kind of the card. All
-- kinds share the index, because a table can have only one such index. EXECUTE is needed because the access method
-- exists only with the extension.
-- Writes: search.words, core.capability; creates an index.
create or replace function search.create_words_index()
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_reason text;
begin
    if not exists (select from pg_extension as e where e.extname = 'pg_search') then
        return false;
    end if;
    begin
        if to_regclass('search.words_search_idx') is null then
            perform search.store_words(k.name, null) from search.kind as k;
            execute 'create index words_search_idx on search.words'
                ' using bm25 (id, (kind::pdb.literal), (words::pdb.whitespace)) with (key_field = ''id'')';
        end if;
        insert into search.words (id, kind, words) values (-1, 'trial', 'clock city '), (-2, 'trial', 'clock clock ');
        if search.match_words('trial', 'city', 10) <> '{-1}' or search.match_words('trial', 'clock', 1) <> '{-2}' then
            v_reason := 'the extension is created, but a trial search found other cards than expected';
        end if;
        delete from search.words as w where w.kind = 'trial';
    exception
        when others then
            v_reason := 'the extension is created, but a trial search failed: ' || sqlerrm;
    end;
    if v_reason is not null then
        update core.capability as c set installed = false, reason = v_reason where c.name = 'pg_search';
    end if;
    return v_reason is null;
end
$function$;
comment on function search.create_words_index() is
'Creates the pg_search index if this index is missing. Returns true if pg_search can be used, otherwise false.';
