import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * The page of the editor: `web/` becomes `dist/web`.
 *
 * Scripts and styles are files of their own, so that the server can forbid inline ones. Nothing is fetched from elsewhere.
 */
export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // A preload polyfill would be an inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: true,
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    chunkSizeWarningLimit: 1500,
  },
});
