#!/bin/sh
# Creates a function file and its first test. Usage: scripts/new-function.sh search.rerank
# For an operation in the schema api, also name the folder: scripts/new-function.sh api.search.rerank
# With KIND=knowledge, in the folder kinds/knowledge.
set -eu
cd "$(dirname "$0")/..${KIND:+/kinds/$KIND}"
name=${1:?"name a function: make new-function NAME=search.rerank, or NAME=api.search.rerank for an operation"}
path=$(echo "$name" | tr . /)
folder=$(dirname "functions/$path")
name=${name%%.*}.${name##*.}
file=functions/$path.sql
test=tests/sql/$path/does_what_it_says.sql
case $folder in
functions | functions/api) echo "$1 has no schema or domain; write search.rerank or api.search.rerank" >&2; exit 1 ;;
esac
[ -d "$folder" ] || { echo "the folder $folder does not exist; choose one of $(ls -d functions/*/ functions/api/*/ | tr '\n' ' ')" >&2; exit 1; }
[ ! -e "$file" ] || { echo "$file already exists" >&2; exit 1; }
mkdir -p "$(dirname "$test")"
# An operation runs as qm_reader, under the row policies, and so does everything that it calls.
security=invoker owner= role=qm_reader
case $name in
api.*) security=definer owner="alter function $name owner to qm_reader;
" role=qm_user ;;
esac
cat >"$file" <<SQL
-- $name: why it is so, for those who change it.
-- Definer: a reason of its own, if it is a security definer.
-- Writes: tables.
create or replace function $name(p_argument text)
returns text
language sql
stable parallel safe security $security
set search_path = pg_catalog, pg_temp
as \$function\$
    select p_argument;
\$function\$;
comment on function $name(text) is 'Does what? Arguments, result and errors, for those who call it.';
${owner}grant execute on function $name to $role;
SQL
cat >"$test" <<SQL
begin;
select plan(1);
select is($name('a'), 'b', 'says what it does');
select * from finish();
rollback;
SQL
echo "created $file and $test; the last line of the function file says who may call it"
case $name in api.*) echo "then run make docs, so that the service can call it" ;; esac
