// How the page is built: relative addresses (its folder has a secret name), and every file compressed once, here, so
// that the server hands out bytes as they lie in the binary. Only the index stays plain: it takes a fresh word each time.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { defineConfig } from "vite";

const SITE = "dist/site";

function compress() {
  return {
    name: "compress",
    apply: "build",
    closeBundle() {
      const folder = join(import.meta.dirname, SITE, "assets");
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        const level = constants.Z_BEST_COMPRESSION;
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level, memLevel: 9 }));
        rmSync(file);
      }
    },
  };
}

export default defineConfig({
  base: "./",
  build: {
    outDir: SITE,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [compress()],
});
