// Reads answers of tools as clients of the TypeScript SDK do: node read_answers.mjs FOLDER < lines
// FOLDER has the packages. Each line is the result of a tool call. The answer is one line for each, with what
// version 1.x and version 2.x say: true, or the error.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.argv[2]}/`);
const { CallToolResultSchema: Old } = require("@modelcontextprotocol/sdk/types.js");
const { CallToolResultSchema: New } = require("@modelcontextprotocol/core");

for await (const line of createInterface({ input: process.stdin })) {
    const verdicts = [Old, New].map((schema) => {
        const read = schema.safeParse(JSON.parse(line));
        return read.success || read.error.message;
    });
    console.log(JSON.stringify(verdicts));
}
