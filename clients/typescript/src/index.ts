// Quartermaster for programs that call the API of a model themselves.
export { Quartermaster, QuartermasterError } from "./client.js";
export type { SearchAnswer, SearchOptions, ToolReply } from "./client.js";
export type { FoundTool } from "./found.js";
