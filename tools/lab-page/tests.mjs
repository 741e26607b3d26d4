// Makes the page's tests ready for Node's test runner: node tests.mjs FOLDER FILE.test.ts …
import { build } from "esbuild";

const [folder, ...files] = process.argv.slice(2);
await build({
  entryPoints: files,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  sourcemap: "inline",
  logLevel: "warning",
});
