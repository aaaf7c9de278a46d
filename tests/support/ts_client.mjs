// Lists the tools of a server and calls one, as clients of the TypeScript SDK do:
// node ts_client.mjs FOLDER 1|2 < request
// FOLDER has the packages of both versions. The request is a JSON object: either command (a list) or url and token, and
// call (name and arguments of a tool). The answer is one with tools and result (refused, if the client throws),
// or with error.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const [folder, version] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const old = version === "1";
const load = (path) => require(old ? `@modelcontextprotocol/sdk/client/${path}.js` : path === "stdio"
    ? "@modelcontextprotocol/client/stdio" : "@modelcontextprotocol/client");

const { command, url, token, call } = JSON.parse(await text(process.stdin));
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
const transport = command
    ? new (load("stdio").StdioClientTransport)({
        command: command[0], args: command.slice(1), env: process.env, stderr: "ignore",
    })
    : new (load("streamableHttp").StreamableHTTPClientTransport)(new URL(url), { requestInit });
const client = new (load("index").Client)({ name: "tests", version: "0" });
let answer;
try {
    await client.connect(transport, { timeout: 120_000 });
    const tools = [];
    let cursor;
    do {
        const page = await client.listTools(cursor && { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
    } while (cursor);
    const result = await client.callTool(call).catch(({ message }) => ({ refused: message }));
    answer = { tools, result };
} catch (error) {
    answer = { error: String(error.stack ?? error) };
}
await client.close();
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
