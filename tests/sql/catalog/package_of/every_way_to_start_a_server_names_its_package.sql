begin;
select plan(26);

create function pg_temp.same(p_like text, p_command text[], p_what text) returns setof text language sql as $$
    select is(catalog.package_of(p_command), translate(p_like, '-_.', ''), p_what);
$$;
select pg_temp.same('mcp-server-time', '{/data/upstreams/time/bin/mcp-server-time}', 'a starter');
select pg_temp.same('mcp-server-time', '{mcp-server-time,--local-timezone,UTC}', 'the program');
select pg_temp.same('mcp-server-time', '{uvx,mcp-server-time}', 'uvx');
select pg_temp.same('mcp-server-time', '{uvx,--python,3.12,mcp-server-time@latest}', 'uvx with options and a version');
select pg_temp.same('mcp-server-time', '{uvx,--from,mcp-server-time==2026.1.1,server}', 'uvx with a program of another name');
select pg_temp.same('mcp-server-time', '{/opt/bin/uv,tool,run,mcp-server-time}', 'uv tool run');
select pg_temp.same('mcp-server-time', '{uv,--directory,/src/time,run,mcp-server-time}', 'uv run in a folder');
select pg_temp.same('mcp-server-time', '{pipx,run,mcp_server_time}', 'pipx run');
select pg_temp.same('mcp-server-time', '{python3.12,-m,mcp_server_time}', 'a module');
select pg_temp.same('mcp-server-time', '{/venv/bin/python,/venv/bin/mcp-server-time}', 'Python with the program');
select pg_temp.same('mcp-server-time', '{docker,run,-i,--rm,-e,TZ=UTC,-v,/a/b:/c/d,mcp/time}', 'the image of docker');
select pg_temp.same('mcp-server-time', '{podman,run,-i,docker.io/mcp/time:latest}', 'with its registry and a tag');
select pg_temp.same('mcp-server-filesystem', '{node,/data/upstreams/filesystem/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js,/tmp}', 'a starter of Node');
select pg_temp.same('mcp-server-filesystem', '{npx,-y,@modelcontextprotocol/server-filesystem,/tmp}', 'npx');
select pg_temp.same('mcp-server-filesystem', '{npx,-y,@modelcontextprotocol/server-filesystem@2026.1.1,/tmp}', 'npx with a version');
select pg_temp.same('mcp-server-filesystem', '{npx,--package,@modelcontextprotocol/server-filesystem,server,/tmp}', 'npx with a program of another name');
select pg_temp.same('mcp-server-filesystem', '{bunx,@modelcontextprotocol/server-filesystem,/tmp}', 'bunx');
select pg_temp.same('mcp-server-filesystem', '{pnpm,dlx,@modelcontextprotocol/server-filesystem}', 'pnpm dlx');
select pg_temp.same('mcp-server-filesystem', '{/usr/local/bin/mcp-server-filesystem,/tmp}', 'its program');
select pg_temp.same('mcp-server-sequential-thinking', '{docker,run,--rm,-i,mcp/sequentialthinking}', 'a name with another separator');
select pg_temp.same('weather-mcp', '{uvx,weather-mcp[all]>=2,--key,mcp-server-time}', 'an argument does not count');
select is(catalog.package_of('{python}'), null, 'a launcher that starts nothing');
select is(catalog.package_of('{docker,run,-i,example/time}'), null, 'an image of somebody else');
select is(catalog.package_of('{}'), null, 'no command');
select isnt(catalog.package_of('{uvx,mcp-server-time}'), catalog.package_of('{uvx,mcp-server-time-plus}'), 'another package');
select isnt(catalog.package_of('{python,/srv/time/server.py}'), catalog.package_of('{uvx,mcp-server-time}'), 'a file');

select * from finish();
rollback;
