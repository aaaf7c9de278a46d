-- quality.is_test: the result says for which files a gate does not require coverage. The coverage of a test file would
-- say nothing about the tests.
create or replace function quality.is_test(p_path text)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_path ~ '(^|/)(tests?|testing)/' or p_path ~ '(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$';
$function$;
comment on function quality.is_test(text) is
'Checks by its path whether a file belongs to the tests of a project. Argument p_path: path of the file. Returns true '
'for a file that belongs to the tests.';
grant execute on function quality.is_test to qm_reader;
