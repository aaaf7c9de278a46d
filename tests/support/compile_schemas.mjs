// Compiles JSON Schemas as clients of the TypeScript SDK do: node compile_schemas.mjs FOLDER < lines
// FOLDER has the packages. Each line is a JSON array of schemas, as they stand in one list. The answer is one
// line for each, with what version 1.x and version 2.x say: true, or the error of the first schema that does not
// compile. Version 1.x compiles all in draft 7; version 2.x compiles each in the draft that it names.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.argv[2]}/`);
const { AjvJsonSchemaValidator: Old } = require("@modelcontextprotocol/sdk/validation/ajv");
const { AjvJsonSchemaValidator: New } = require("@modelcontextprotocol/client/validators/ajv");

console.warn = () => {};
for await (const line of createInterface({ input: process.stdin })) {
    const verdicts = [Old, New].map((Validator) => {
        const validator = new Validator();
        try {
            for (const schema of JSON.parse(line)) validator.getValidator(schema);
            return true;
        } catch (error) {
            return String(error.message);
        }
    });
    console.log(JSON.stringify(verdicts));
}
