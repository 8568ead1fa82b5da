// A build and two transforms by esbuild's JavaScript side, over its own binary protocol.
// Our arguments: the folder of the npm packages, then the service's command line.
// A summary of the session is printed as JSON.

import { createHash } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [packages, ...argv] = process.argv.slice(2);
const quoted = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
const program = resolve("esbuild");
writeFileSync(program, `#!/bin/sh\nexec ${quoted} "$1"\n`); // --service=…, but no --ping
chmodSync(program, 0o755);
process.env.ESBUILD_BINARY_PATH = program;

const esbuild = createRequire(packages + "/")("esbuild");
const digest = (data) => createHash("sha256").update(data).digest("hex");
const lines = Array.from({ length: 20_000 }, (_, i) => `export const name${i} = "kůň ☃ ${i}"`);
const loaded = [];
const plugin = {
  name: "numbers",
  setup(build) {
    build.onResolve({ filter: /^number:/ }, ({ path }) => ({ path, namespace: "number" }));
    build.onLoad({ filter: /.*/, namespace: "number" }, ({ path }) => {
      loaded.push(path);
      return { contents: `export default ${path.slice(7)}` };
    });
  },
};

const small = await esbuild.transform("let x: number = 1 + 2", { loader: "ts", minify: true });
const large = await esbuild.transform(lines.join("\n"), { minify: true });
const source = 'import a from "number:1"; import b from "number:2"; console.log(a + b)';
const built = await esbuild.build({
  stdin: { contents: source },
  bundle: true,
  write: false,
  plugins: [plugin],
});
const refusal = await esbuild
  .transform("let = = 1", { logLevel: "silent" })
  .catch((error) => error.message);
await esbuild.stop();
console.log(
  JSON.stringify({
    version: esbuild.version,
    small: small.code,
    large: digest(large.code),
    built: built.outputFiles[0].text,
    loaded: loaded.sort(),
    refusal,
  }),
);
