// Builds the page into a folder: node build.mjs [FOLDER]. What comes out needs nothing from elsewhere.
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutInlineStyles } from "./inline_styles.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../../build/lab-page/page"));

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  entryPoints: [join(here, "src/lab.ts"), join(here, "src/lab.css")],
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome109", "firefox115", "safari16"],
  outdir: folder,
  legalComments: "eof", // the licences of what is bundled stay with it
  logLevel: "warning",
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: true } },
  plugins: [withoutInlineStyles(here)],
});
await copyFile(join(here, "src/index.html"), join(folder, "index.html"));
await copyFile(join(here, "src/icon.svg"), join(folder, "icon.svg"));
