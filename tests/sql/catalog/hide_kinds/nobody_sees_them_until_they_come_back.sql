begin;
select plan(13);

select t.make_catalog();
select t.make_principal('alice'), t.make_principal('boss', 'admin');
select set_config('qm.kind_folder', 'letters', true);
select t.make_kind('memo'), t.make_kind('letter');
select set_config('qm.kind_folder', '', true);
select t.make_card('memo', 1, 'open', 'harbour'), t.make_card('letter', 1, 'dear', 'harbour');
insert into core.kind_folder (name, digest, is_hidden) values ('letters', '', false);
create function pg_temp.seen(p_name text) returns text language sql as $$
    select string_agg(distinct c.kind, ' ' order by c.kind) from search.card as c cross join policy.principal as p
    where p.name = p_name and policy.is_visible(c.rights_class, policy.rights_of(p.id));
$$;
create temporary table before as select c.id, c.rights_class, c.xmin::text as version from search.card as c;

select catalog.hide_kinds();
select is(pg_temp.seen('boss'), 'letter memo tool', 'a folder that is named hides nothing');
select is_empty($$select from search.card as c inner join before as b on b.id = c.id where c.xmin::text <> b.version$$, 'and no row is written');

update core.kind_folder set is_hidden = true where name = 'letters';
select catalog.hide_kinds();
select is(pg_temp.seen('alice'), 'tool', 'nobody sees the cards of a hidden one');
select is(pg_temp.seen('boss'), 'tool', 'not even an administrator');
select is((select count(*) from search.card as c where c.kind in ('memo', 'letter')), 2::bigint, 'the cards are kept');
select t.make_card('memo', 2, 'new', 'harbour');
select is(pg_temp.seen('boss'), 'tool', 'one that is written meanwhile is hidden, too');
select t.make_rules('{"rules": [{"effect": "allow", "subject": "everyone", "names": "*"}]}');
select is(pg_temp.seen('boss'), 'tool', 'whatever the rules allow');
select is((select count(*) from policy.audience as a), 1::bigint, 'one audience without members is enough for all');
select throws_ok($$select search.refuse_kind('memo')$$, 'QM404', 'there is no kind of card called ''memo''', 'as if the kind did not exist');
select t.read_as('alice');
select throws_ok($$select search.require_kinds('{memo}')$$, 'QM404', null, 'for searches, too');
select t.act_as_superuser();

update core.kind_folder set is_hidden = false where name = 'letters';
select catalog.hide_kinds();
select is(pg_temp.seen('alice'), 'letter memo tool', 'all are there again');
select is_empty($$select from policy.audience$$, 'and the audience is gone');
select is_empty($$select from search.card as c left join policy.rights_class as r on r.id = c.rights_class where r.id is null$$, 'every class exists');

select * from finish();
rollback;
