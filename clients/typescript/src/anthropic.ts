// Quartermaster as the tool search of a program that calls Anthropic's Messages API.
import type {
    ImageBlockParam,
    TextBlockParam,
    Tool,
    ToolReferenceBlockParam,
    ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

import { isObject, QuartermasterError, type Quartermaster, type SearchOptions, type ToolReply } from "./client.js";
import {
    FoundTools,
    NOTHING_FOUND,
    partsOf,
    READ_DESCRIPTION,
    READ_RESULT,
    READ_SCHEMA,
    SEARCH_DESCRIPTION,
    SEARCH_SCHEMA,
    SEARCH_TOOLS,
    type FoundTool,
    type Part,
    type Schema,
} from "./found.js";

/** A block `tool_use` of the SDK, of a message or of a beta message. */
export interface ToolUse {
    id: string;
    name: string;
    input: unknown;
}

/** The tool search of one conversation. */
export class AnthropicToolSearch extends FoundTools {
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
     * Returns what the next request needs in `tools`, behind the program's own tools: the search, and the definitions
     * of all tools that were found.
     */
    tools(): Tool[] {
        return [
            { name: SEARCH_TOOLS, description: SEARCH_DESCRIPTION, input_schema: SEARCH_SCHEMA },
            { name: READ_RESULT, description: READ_DESCRIPTION, input_schema: READ_SCHEMA },
            ...this.found.map(({ name, description, schema }) => ({
                name,
                description,
                input_schema: withAcceptedNames(schema),
                defer_loading: true,
            })),
        ];
    }

    /**
     * Answers a search of the model, or calls the tool that the model calls. What was wrong with the goal or the
     * arguments is part of the answer, for the model.
     *
     * @throws QuartermasterError the service refused the request for another reason.
     */
    async answer(asked: ToolUse): Promise<ToolResultBlockParam> {
        if (asked.name !== SEARCH_TOOLS) {
            const receipt = this.receiptOf(asked.name);
            return result(asked, await this.quartermaster.call(asked.name, asked.input, receipt));
        }
        try {
            const goal = (isObject(asked.input) ? asked.input.goal : null) ?? null;
            const found = this.add(await this.quartermaster.search(goal as string, this.options));
            const references = found.map(({ name }): ToolReferenceBlockParam => ({ type: "tool_reference", tool_name: name }));
            const nothing: TextBlockParam = { type: "text", text: NOTHING_FOUND };
            return { type: "tool_result", tool_use_id: asked.id, content: references.length ? references : [nothing] };
        } catch (error) {
            if (!(error instanceof QuartermasterError && error.isOfGoal)) throw error;
            return { type: "tool_result", tool_use_id: asked.id, content: error.explained, is_error: true };
        }
    }
}

// The API refuses a whole request if the name of one argument is another.
const ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Returns a schema without the arguments whose names Anthropic refuses. If a call needs one of them, the service answers
 * with the schema of the tool.
 */
function withAcceptedNames(schema: Schema): Schema {
    const named = Object.entries(schema.properties ?? {});
    const kept = named.filter(([name]) => ARGUMENT.test(name));
    if (kept.length === named.length) return schema;
    const refused = named.map(([name]) => name).filter((name) => !ARGUMENT.test(name));
    const listed: unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const required = listed.filter((name) => !refused.includes(String(name)));
    return { ...schema, properties: Object.fromEntries(kept), required };
}

function result(called: ToolUse, reply: ToolReply): ToolResultBlockParam {
    const content = partsOf(reply).map(block);
    return { type: "tool_result", tool_use_id: called.id, content, is_error: reply.isError ?? false };
}

function block(part: Part): TextBlockParam | ImageBlockParam {
    if (part.kind === "text") return { type: "text", text: part.text };
    return { type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } };
}
