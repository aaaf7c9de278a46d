// Prints what the client answers: node asked.ts VENDOR KEY ITEMS. ITEMS are blocks or items of the vendor's API, as JSON.
import { Quartermaster, QuartermasterError } from "quartermaster-client";
import * as forAnthropic from "quartermaster-client/anthropic";
import * as forOpenAI from "quartermaster-client/openai";

const [vendor, key = "", items = "[]"] = process.argv.slice(2);
const quartermaster = new Quartermaster(`${process.env.QM_URL}/mcp/`, key);
const search: { tools(): unknown; found: unknown; answer(asked: never): Promise<unknown> } =
    vendor === "openai" ? new forOpenAI.OpenAIToolSearch(quartermaster) : new forAnthropic.AnthropicToolSearch(quartermaster);
const answers: unknown[] = [];
for (const item of JSON.parse(items)) {
    try {
        answers.push(await search.answer(item as never));
    } catch (error) {
        if (!(error instanceof QuartermasterError)) throw error;
        const { status, code, slug, message, hint } = error;
        answers.push({ status, code, slug, message, hint });
    }
}
console.log(JSON.stringify([answers, search.tools(), search.found]));
