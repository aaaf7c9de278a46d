// Quartermaster as the tool search of a program that calls OpenAI's Responses API.
import type {
    FunctionTool,
    ResponseFunctionCallOutputItem,
    ResponseInputItem,
    ResponseToolSearchOutputItemParam,
    ToolSearchTool,
} from "openai/resources/responses/responses";

import { isObject, QuartermasterError, text, type Quartermaster, type SearchOptions, type ToolReply } from "./client.js";
import {
    FoundTools,
    partsOf,
    READ_DESCRIPTION,
    READ_RESULT,
    READ_SCHEMA,
    SEARCH_DESCRIPTION,
    SEARCH_SCHEMA,
    type FoundTool,
    type Part,
    type Schema,
} from "./found.js";

/** An item `tool_search_call` of the SDK. */
export interface ToolSearchCall {
    type: "tool_search_call";
    call_id: string | null;
    arguments: unknown;
}

/** An item `function_call` of the SDK. */
export interface FunctionCall {
    type: "function_call";
    call_id: string;
    name: string;
    arguments: string;
}

type Answer = ResponseToolSearchOutputItemParam | ResponseInputItem.FunctionCallOutput;

/** The tool search of one conversation. */
export class OpenAIToolSearch extends FoundTools {
    /**
     * @param quartermaster what searches and calls.
     * @param options options of each search, such as limit.
     * @param found tools that were found before, to go on with a stored conversation.
     */
    constructor(
        private readonly quartermaster: Quartermaster,
        private readonly options: SearchOptions = {},
        found: FoundTool[] = [],
    ) {
        super(found);
    }

    /**
     * Returns what each request needs in `tools`, beside the program's own tools. What was found is in the answers to
     * the searches.
     */
    tools(): Array<ToolSearchTool | FunctionTool> {
        return [
            { type: "tool_search", execution: "client", description: SEARCH_DESCRIPTION, parameters: SEARCH_SCHEMA },
            definition(READ_RESULT, READ_DESCRIPTION, READ_SCHEMA),
        ];
    }

    /**
     * Answers a search of the model, or calls the tool that the model calls. If the goal of a search is wrong, it finds
     * nothing.
     *
     * @throws QuartermasterError the service refused the request for another reason.
     */
    async answer(asked: ToolSearchCall | FunctionCall): Promise<Answer> {
        if (asked.type === "function_call") return result(asked, await this.#called(asked));
        const tools = (await this.#searched(asked)).map(({ name, description, schema }) => ({
            ...definition(name, description, schema),
            defer_loading: true,
        }));
        return { type: "tool_search_output", execution: "client", call_id: asked.call_id, status: "completed", tools };
    }

    async #searched(asked: ToolSearchCall): Promise<FoundTool[]> {
        const goal = (isObject(asked.arguments) && text(asked.arguments.goal)) || "";
        try {
            return this.add(await this.quartermaster.search(goal, this.options));
        } catch (error) {
            // The output of a search has no place for a message.
            if (error instanceof QuartermasterError && error.isOfGoal) return [];
            throw error;
        }
    }

    async #called(asked: FunctionCall): Promise<ToolReply> {
        const given = argumentsOf(asked);
        if (given !== null) return this.quartermaster.call(asked.name, given, this.receiptOf(asked.name));
        return { content: [{ type: "text", text: "The arguments are not a JSON object." }], isError: true };
    }
}

function definition(name: string, description: string, parameters: Schema): FunctionTool {
    // The schemas of MCP servers do not follow the rules of strict ones.
    return { type: "function", name, description, parameters, strict: false };
}

/** Refuses a number that is too large, which JSON.stringify would make null. */
function finite(_name: string, value: unknown): unknown {
    if (value === Infinity || value === -Infinity) throw new RangeError();
    return value;
}

function argumentsOf(called: FunctionCall): object | null {
    try {
        const found: unknown = JSON.parse(called.arguments || "{}", finite);
        return isObject(found) ? found : null;
    } catch {
        return null;
    }
}

function result(called: FunctionCall, reply: ToolReply): ResponseInputItem.FunctionCallOutput {
    const failed: Part[] = reply.isError ? [{ kind: "text", text: "The call failed." }] : [];
    const parts = [...failed, ...partsOf(reply)];
    const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
    const output = texts.length === parts.length ? texts.join("\n") : parts.map(item);
    return { type: "function_call_output", call_id: called.call_id, output };
}

function item(part: Part): ResponseFunctionCallOutputItem {
    if (part.kind === "text") return { type: "input_text", text: part.text };
    return { type: "input_image", image_url: `data:${part.mediaType};base64,${part.data}` };
}
