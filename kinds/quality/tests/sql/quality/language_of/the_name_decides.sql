begin;
select plan(1);
select results_eq(
    $$select quality.language_of(p.path) from unnest('{a.py,b/c.PYI,web/app.tsx,main.go,App.vue,run.sh,Dockerfile,api.dockerfile,deploy/docker-compose.yml,compose.prod.yaml,README.md,.env,py,gui.pyw,fast.pyx,a.ipynb,x.R,bin/deploy,LICENSE,.git/x.unknown}'::text[]) with ordinality as p (path, place) order by p.place$$,
    $$select * from unnest('{python,python,other,other,other,script,config,config,config,config,text,text,script,python,script,script,script,script,text,text}'::text[])$$,
    'python, another language, configuration or text'
);
select * from finish();
rollback;
