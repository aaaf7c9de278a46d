#!/bin/sh
# Starts a function file and its first test. Usage: scripts/new-function.sh search.rerank
set -eu
cd "$(dirname "$0")/.."
name=${1:?"name a function: make new-function NAME=search.rerank"}
schema=${name%%.*}
function=${name#*.}
file=functions/$schema/$function.sql
test=tests/sql/$schema/$function/does_what_it_says.sql
[ -d "functions/$schema" ] || { echo "there is no schema $schema: choose one of $(ls -d functions/*/ | xargs -n1 basename | tr '\n' ' ')" >&2; exit 1; }
[ ! -e "$file" ] || { echo "$file exists already" >&2; exit 1; }
mkdir -p "$(dirname "$test")"
cat >"$file" <<SQL
-- $name: purpose in one sentence.
-- Why it is so; Raises: codes; Reads/Writes: when not obvious; Definer because: if so.
create or replace function $name(p_argument text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as \$function\$
    select p_argument;
\$function\$;
comment on function $name(text) is 'The caller''s contract.';
SQL
cat >"$test" <<SQL
begin;
select plan(1);
select is($name('a'), 'b', 'says what it does');
select * from tap.finish();
rollback;
SQL
echo "$file and $test are made; grant it in sql/grants.sql"
