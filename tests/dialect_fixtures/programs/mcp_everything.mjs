// An MCP session by the TypeScript SDK's client that asks for one of each thing.
// Our arguments: the folder of the npm packages, then the server's command line.

import { createRequire } from "node:module";

const [packages, command, ...args] = process.argv.slice(2);
const require = createRequire(packages + "/");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const types = require("@modelcontextprotocol/sdk/types.js");

const capabilities = { sampling: {}, elicitation: {}, roots: {} };
const client = new Client({ name: "tap-tests", version: "1" }, { capabilities });
client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
  model: "a-model",
  role: "assistant",
  content: { type: "text", text: "Forty-two." },
}));
client.setRequestHandler(types.ElicitRequestSchema, () => ({ action: "decline" }));
client.setRequestHandler(types.ListRootsRequestSchema, () => ({
  roots: [{ uri: "file:///project", name: "project" }],
}));
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));

const call = (name, given, options) =>
  client.callTool({ name, arguments: given }, undefined, options);

await client.listTools();
await client.ping();
await client.setLoggingLevel("warning");
await call("echo", { message: "čau ☃" });
await call("get-sum", { a: "two", b: 40 });
await call("get-structured-content", { location: "Chicago" });
await call("get-tiny-image", {});
await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
await call("trigger-sampling-request", { prompt: "What is it?", maxTokens: 20 });
await call("trigger-elicitation-request", {});
const steps = { duration: 0.4, steps: 4 };
await call("trigger-long-running-operation", steps, { onprogress: () => {} });
const abort = new AbortController();
const aborted = call("trigger-long-running-operation", { duration: 1, steps: 2 }, {
  signal: abort.signal,
  onprogress: () => abort.abort("the user has stopped it"),
}).catch(() => "aborted");
await aborted;
const { resources } = await client.listResources();
await client.listResourceTemplates();
await client.subscribeResource({ uri: resources[0].uri });
await client.readResource({ uri: "demo://resource/dynamic/text/1" });
await client.readResource({ uri: "demo://nowhere" }).catch(() => "refused");
await client.listPrompts();
await client.getPrompt({ name: "args-prompt", arguments: { city: "Brno" } });
await client.complete({
  ref: { type: "ref/prompt", name: "completable-prompt" },
  argument: { name: "department", value: "S" },
});
await client.close();
