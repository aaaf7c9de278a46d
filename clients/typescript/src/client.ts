// Searches and calls over HTTP.

export type Json = Record<string, unknown>;

/** Options of a search; the service has the defaults (docs/selection.md). */
export interface SearchOptions {
    mode?: string;
    limit?: number;
    budget_tokens?: number;
    recent_context?: string;
    kinds?: string[];
    full?: boolean;
    as_of?: string;
}

/** What a search found. Each tool is its MCP definition, with rank, score and origin. */
export interface SearchAnswer {
    tools?: Json[];
    cards?: Json[];
    receipt?: number | null;
    advice?: string;
}

/** The result of a call, as MCP writes it. */
export interface ToolReply {
    content?: Json[];
    structuredContent?: unknown;
    isError?: boolean;
}

/** The service has refused a request. */
export class QuartermasterError extends Error {
    readonly code: string;
    readonly slug: string;
    readonly hint: string | null;
    readonly detail: string | null;
    readonly request_id: string | null;

    /**
     * @param status HTTP status of the answer.
     * @param error what the service says: code, slug, message, hint, detail and request_id.
     */
    constructor(readonly status: number, error: Json) {
        super(text(error.message) ?? "");
        this.name = "QuartermasterError";
        this.code = text(error.code) ?? `HTTP${status}`;
        this.slug = text(error.slug) ?? "unknown";
        this.hint = text(error.hint);
        this.detail = text(error.detail);
        this.request_id = text(error.request_id);
    }

    /** The message and the hint, for a reader. */
    get explained(): string {
        return this.hint === null ? this.message : `${this.message}\nNext: ${this.hint}`;
    }

    /**
     * Whether the goal of a search was wrong, so that the model can search for another one. Wrong options of the program
     * are no matter of the model.
     */
    get isOfGoal(): boolean {
        return ["goal_empty", "goal_too_long"].includes(this.slug) || this.message.startsWith("/goal:");
    }
}

const REVISION = "2026-07-28";
const ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "quartermaster-client", version: "0.2.0" },
    // No questions of servers to the user: a program that answers them uses an MCP client.
    "io.modelcontextprotocol/clientCapabilities": {},
};

/** A running Quartermaster, with the rights of a key. No request is sent twice. */
export class Quartermaster {
    readonly #url: string;
    readonly #key: string;
    readonly #send: typeof fetch;

    /**
     * @param url address of the service, such as https://qm.example; its MCP endpoint does, too.
     * @param key key of the principal (`qm key create`).
     * @param send what sends requests, such as one with an authority of your own.
     * @throws Error the key is empty, or contains characters that no key has.
     */
    constructor(url: string, key: string, send: typeof fetch = fetch) {
        this.#url = url.replace(/\/+$/, "").replace(/\/mcp$/, "");
        this.#key = key.trim();
        // What sends requests would show it in its errors.
        if (!/^[!-~]+$/.test(this.#key)) throw new Error("The key is empty, or contains characters that no key has.");
        this.#send = send;
    }

    /** Returns the few tools that fit a goal, best first. Throws QuartermasterError. */
    async search(goal: string, options: SearchOptions = {}): Promise<SearchAnswer> {
        const [status, body] = await this.#post("/v1/search", { ...options, goal }, {});
        return accepted(status, objectIn(body), body);
    }

    /**
     * Calls a tool: one MCP request, which needs no session. A call that failed is a reply with isError.
     *
     * @param name name of the tool, as the search returned it.
     * @param args arguments for the tool.
     * @param receipt number of the receipt of the search that found the tool.
     * @throws QuartermasterError the service refused the request.
     */
    async call(name: string, args: unknown, receipt: number | null = null): Promise<ToolReply> {
        const given = { name, arguments: args, ...(receipt === null ? {} : { receipt }) };
        const params = { name: "call_tool", arguments: given, _meta: ENVELOPE };
        const [status, body] = await this.#post(
            "/mcp",
            { jsonrpc: "2.0", id: 1, method: "tools/call", params },
            {
                Accept: "application/json, text/event-stream",
                "MCP-Protocol-Version": REVISION,
                "Mcp-Method": "tools/call",
                "Mcp-Name": "call_tool",
            },
        );
        const answer = accepted(status, answerIn(body), body);
        if (isObject(answer.error)) {
            const data = isObject(answer.error.data) ? answer.error.data : {};
            throw new QuartermasterError(status, { ...answer.error, code: null, ...(data.error as Json | undefined) });
        }
        if (!isObject(answer.result)) throw new QuartermasterError(status, { message: body.slice(0, 500) });
        const result: Json & ToolReply = answer.result;
        if ((result.resultType ?? "complete") !== "complete") {
            const message = "The tool asks the user a question, which needs an MCP client.";
            throw new QuartermasterError(status, { slug: "input_required", message });
        }
        return result;
    }

    async #post(path: string, body: Json, headers: Record<string, string>): Promise<[number, string]> {
        const send = this.#send;
        const answer = await send(`${this.#url}${path}`, {
            method: "POST",
            // Not followed: that would send the request twice.
            redirect: "manual",
            headers: { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json", ...headers },
            body: JSON.stringify(body),
        });
        return [answer.status, await answer.text()];
    }
}

export function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string | null {
    return typeof value === "string" ? value : null;
}

function accepted(status: number, answer: Json | null, body: string): Json {
    if (answer !== null && status < 400) return answer;
    const error = isObject(answer?.error) ? answer.error : { message: body.slice(0, 500) };
    throw new QuartermasterError(status, typeof error.code === "number" ? { ...error, code: null } : error);
}

/** Returns the answer in a body that is JSON, or a stream of events whose last is the answer. */
function answerIn(body: string): Json | null {
    if (body.trimStart().startsWith("{")) return objectIn(body);
    const lines = body.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
    return lines.map((line) => objectIn(line.slice("data:".length))).findLast((one) => one !== null && "id" in one) ?? null;
}

function objectIn(body: string): Json | null {
    try {
        const found: unknown = JSON.parse(body);
        return isObject(found) ? found : null;
    } catch {
        return null;
    }
}
