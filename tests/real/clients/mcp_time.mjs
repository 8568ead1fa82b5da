// An MCP session by the TypeScript SDK's client, with a server in Python.
// Our arguments: the folder of the npm packages, then the server's command line.
// A summary of the session is printed as JSON. With REVERSED=1 in the environment what is asked at
// once is asked in the other order.

import { createRequire } from "node:module";

const [packages, command, ...args] = process.argv.slice(2);
const require = createRequire(packages + "/");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "tap-tests", version: "1" });
const transport = new StdioClientTransport({ command, args, stderr: "pipe" });
transport.stderr.resume();
await client.connect(transport);

const inOrder = (items) => (process.env.REVERSED === "1" ? items.toReversed() : items);
const difference = async (zone) => {
  const given = { source_timezone: "UTC", target_timezone: zone, time: "12:00" };
  const { content } = await client.callTool({ name: "convert_time", arguments: given });
  return content[0].text.match(/"time_difference": "[^"]*"|^Error.*/)[0];
};
const zones = ["Asia/Tokyo", "Asia/Kolkata", "Etc/GMT+7", "Atlantis/Main_Street"];
const summary = {
  server: client.getServerVersion().name,
  tools: (await client.listTools()).tools.map((tool) => tool.name).sort(),
  one: await difference("Europe/Lisbon"),
  atOnce: inOrder(await Promise.all(inOrder(zones).map(difference))),
};
await client.close();
console.log(JSON.stringify(summary));
