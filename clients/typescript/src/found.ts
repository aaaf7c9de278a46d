// What the APIs of the vendors have in common: the tools of a conversation, and their results.
import { isObject, text, type Json, type SearchAnswer, type ToolReply } from "./client.js";

/** A schema whose root is an object. */
export type Schema = Json & { type: "object" };

export const SEARCH_TOOLS = "search_tools";
export const SEARCH_DESCRIPTION =
    "Find tools for a task. Many tools can be found only through this search, so search for each " +
    "new task, and before you say that something cannot be done. The tools that it finds can be " +
    "called from then on.";
export const SEARCH_SCHEMA: Schema = {
    type: "object",
    properties: {
        goal: {
            type: "string",
            description:
                "What you want to do, in plain English even if the user speaks another " +
                "language: 'what time is it in Tokyo'. Search for one task at a time.",
        },
    },
    required: ["goal"],
    additionalProperties: false,
};
export const READ_RESULT = "read_result";
export const READ_DESCRIPTION = "Read the next page of a long result. The end of a page says how to go on.";
export const READ_SCHEMA: Schema = {
    type: "object",
    properties: { handle: { type: "string" }, start: { type: "integer" } },
    required: ["handle", "start"],
    additionalProperties: false,
};
export const NOTHING_FOUND = "No tool fits. Use other words, or name the thing to act on.";

// Both APIs refuse a whole request if the root of one schema has one of these.
const BRANCHES = ["allOf", "anyOf", "oneOf"];
const REFUSED_AT_ROOT = [...BRANCHES, "enum", "not"];
const IMAGES = ["image/gif", "image/jpeg", "image/png", "image/webp"] as const;

/** A tool that a search has found. */
export interface FoundTool {
    name: string;
    description: string;
    schema: Schema;
    receipt: number | null;
}

/** Text or an image (in base64) in the result of a call. */
export type Part =
    | { kind: "text"; text: string }
    | { kind: "image"; mediaType: (typeof IMAGES)[number]; data: string };

/**
 * The tools that the searches of one conversation have found.
 *
 * A tool keeps its place, and new ones are appended, so that the vendor's cache of the request holds. A tool whose
 * definition has changed gets the new one.
 */
export class FoundTools {
    readonly #found: Map<string, FoundTool>;

    /** @param found tools that were found before, to go on with a stored conversation. */
    constructor(found: FoundTool[] = []) {
        this.#found = new Map(found.map((tool) => [tool.name, tool]));
    }

    /** The tools in the order in which they were found; can be stored as JSON. */
    get found(): FoundTool[] {
        return [...this.#found.values()];
    }

    /** Returns whether a call of this name is for Quartermaster, and not for another tool of the program. */
    owns(name: string): boolean {
        return name === SEARCH_TOOLS || name === READ_RESULT || this.#found.has(name);
    }

    protected add(answer: SearchAnswer): FoundTool[] {
        // Weak matches are shown to people if nothing fits; a model would call them.
        const fitting = (answer.tools ?? []).filter((tool) => !tool.weak);
        const tools = fitting.map((tool) => foundTool(tool, answer.receipt ?? null));
        for (const tool of tools) this.#found.set(tool.name, tool);
        return tools;
    }

    protected receiptOf(name: string): number | null {
        return this.#found.get(name)?.receipt ?? null;
    }
}

/** Returns the result of a call as text and images. Anything else becomes text: its JSON, without its bytes. */
export function partsOf(reply: ToolReply): Part[] {
    const content = reply.content ?? [];
    if (content.length === 0 && "structuredContent" in reply) {
        return [{ kind: "text", text: JSON.stringify(reply.structuredContent) }];
    }
    return content.map(part).filter((one) => one.kind !== "text" || one.text !== "");
}

function part(block: Json): Part {
    const mediaType = IMAGES.find((one) => one === block.mimeType);
    if (block.type === "image" && mediaType && typeof block.data === "string") {
        return { kind: "image", mediaType, data: block.data };
    }
    const plain = block.type === "text" ? block.text : isObject(block.resource) ? block.resource.text : undefined;
    const withoutBytes = (key: string, value: unknown) => (key === "data" || key === "blob" ? undefined : value);
    return { kind: "text", text: text(plain) ?? JSON.stringify(block, withoutBytes) };
}

function foundTool(tool: Json, receipt: number | null): FoundTool {
    const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
    const description = text(tool.description) || text(tool.brief) || "";
    return { name: String(tool.name), description, schema: acceptedSchema(schema), receipt };
}

/**
 * Returns a schema that both APIs accept: its root is an object without alternatives, whose arguments become optional
 * ones. The service checks arguments against the original.
 */
function acceptedSchema(schema: Json): Schema {
    const branches = BRANCHES.flatMap((keyword) => (Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : []));
    const holders = [...branches, schema].filter(isObject);
    const properties: Json = Object.assign({}, ...holders.map((one) => one.properties ?? {}));
    const rest = Object.entries(schema).filter(([key]) => !REFUSED_AT_ROOT.includes(key));
    return { ...Object.fromEntries(rest), type: "object", properties };
}
