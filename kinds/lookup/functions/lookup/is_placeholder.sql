-- lookup.is_placeholder: the function knows such texts in the languages of the tables that people usually load. A query
-- with such a text finds no row, unless a row has exactly this name.
create or replace function lookup.is_placeholder(p_text text)
returns boolean
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_text constant text := btrim(
        lower(regexp_replace(p_text, '[^[:alnum:]]+' collate core.c_utf8, ' ', 'g') collate core.c_utf8)
    );
begin
    return length(v_text) < 30 and (
        v_text = ''
        or v_text = repeat(left(v_text, 1), length(v_text)) and (length(v_text) > 2 or v_text ~ '^[x0]')
        or v_text = any('{
            n a,na,n d,nd,n n,nn,nil,"null",nan,none,no,not available,not applicable,not known,not given,not recorded,
            no data,no value,missing,empty,blank,unknown,unidentified,undetermined,unspecified,undefined,uncertain,
            indet,indeterminate,indeterminable,various,other,others,tba,tbd,todo,test,cf,aff,sp,spp,sp indet,gen sp,
            gen et sp,gen et sp indet,incertae sedis,incerta sedis,ignotus,ignota,
            okänd,okänt,okända,ej känd,ej angiven,ej angivet,uppgift saknas,saknas,ingen,inget,inga,obestämd,obestämt,
            obest,oidentifierad,
            ukjent,ukendt,ingen data,tuntematon,ei tietoa,
            unbekannt,unbestimmt,keine,keine angabe,keine angaben,k a,entfällt,fehlt,ohne,
            onbekend,onbepaald,geen,geen gegevens,nvt,n v t,niet van toepassing,
            inconnu,inconnue,indéterminé,indéterminée,aucun,aucune,sans objet,non renseigné,non déterminé,
            desconocido,desconocida,ninguno,ninguna,sin datos,sconosciuto,nessuno,desconhecido,nieznany,brak
        }'::text[])
    );
end
$function$;
comment on function lookup.is_placeholder(text) is
'Checks whether a text means "no value", such as N/A, unknown, xxx or ?. Argument p_text: the text. Returns true if '
'the text means "no value". A row may nevertheless have exactly this name. The calling function must check for such a '
'row.';
grant execute on function lookup.is_placeholder to qm_reader;
