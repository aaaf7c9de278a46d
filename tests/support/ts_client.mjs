// Lists the tools of a server and calls one, as a client of the TypeScript SDK does: node ts_client.mjs FOLDER < lines
// FOLDER has both versions of the SDK. Each line is a JSON object: version (1 or 2), either command (a list) and env or
// url and token, and call (name and arguments of a tool). The answer is one line for each: tools and result (refused, if
// the client throws), or error.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.argv[2]}/`);
const PARTS = {
    1: ["sdk/client/index.js", "sdk/client/stdio.js", "sdk/client/streamableHttp.js"],
    2: ["client", "client/stdio", "client"],
};

async function answerTo({ version, command, env, url, token, call }) {
    const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = PARTS[version].map((part) =>
        require(`@modelcontextprotocol/${part}`));
    const transport = command
        ? new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: "ignore" })
        : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
    const client = new Client({ name: "tests", version: "0" });
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
        return { tools, result };
    } catch (error) {
        return { error: String(error.stack ?? error) };
    } finally {
        await client.close();
    }
}

for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await answerTo(JSON.parse(line))));
}
