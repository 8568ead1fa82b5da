// An MCP session by the TypeScript SDK's client, which gives its server sockets.
// Our arguments: the folder of the npm packages, then the server's command line.
// A summary of the session is printed as JSON. With REVERSED=1 in the environment what is asked at
// once is asked in the other order: other ids, and other progress tokens.

import { createRequire } from "node:module";

const [packages, command, ...args] = process.argv.slice(2);
const require = createRequire(packages + "/");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "tap-tests", version: "1" });
const transport = new StdioClientTransport({ command, args, stderr: "pipe" });
let stderrSize = 0;
transport.stderr.on("data", (chunk) => (stderrSize += chunk.length));
await client.connect(transport);

const call = async (name, given, options) => {
  const { content } = await client.callTool({ name, arguments: given }, undefined, options);
  return content[0].text;
};
const inOrder = (items) => (process.env.REVERSED === "1" ? items.toReversed() : items);
const step = (steps) => async () => {
  const reports = [];
  const onprogress = ({ progress, total }) => reports.push(`${progress} of ${total}`);
  await call("trigger-long-running-operation", { duration: 0.5, steps }, { onprogress });
  return reports[0];
};
const progress = [];
const long = "žluťoučký kůň ☃ ".repeat(20_000);
const summary = {
  server: client.getServerVersion().name,
  tools: (await client.listTools()).tools.map((tool) => tool.name).sort(),
  resources: (await client.listResources()).resources.length,
  echo: (await call("echo", { message: long })) === `Echo: ${long}`,
  sum: await call("get-sum", { a: 2, b: 40 }),
  slow: await call(
    "trigger-long-running-operation",
    { duration: 0.4, steps: 4 },
    { onprogress: (report) => progress.push(report.progress) },
  ),
  progress: progress.slice(0, 3), // the SDK may drop the last one, which comes with the result
  atOnce: inOrder(await Promise.all(inOrder([2, 3, 4]).map((steps) => step(steps)()))),
  complaint: await call("get-sum", { a: "two" }).catch((error) => error.message),
  refusal: await client.getPrompt({ name: "no such prompt" }).catch((error) => error.message),
};
await client.close();
console.log(JSON.stringify({ ...summary, stderrSize }));
