import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Built into the Python package. Nothing is inlined, so that the page works under a strict content security policy.
export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: {
    outDir: "../src/counterblow/service/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: false,
  },
  test: { include: ["tests/**/*.test.ts"], reporters: ["dot"] },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
