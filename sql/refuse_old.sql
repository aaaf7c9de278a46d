-- Refuses a database that was created by a release before 0.2.0, because its tables cannot be
-- upgraded.
do $do$
begin
    if pg_catalog.to_regclass('core.release') is not null then
        if exists (select from core.release as r where r.version like '0.1.%') then
            raise exception 'this database was created by Quartermaster 0.1, and this release cannot upgrade its tables'
            using
                errcode = 'QM500', constraint = 'schema_too_old',
                hint = 'Start with a new --data-dir. Then restore rules, origins and lookup tables with qm policy apply, qm import and qm lookup load.';
        end if;
    end if;
end
$do$;
