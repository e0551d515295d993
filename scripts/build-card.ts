/**
 * Builds the card `ui://forerun/what-if`: one HTML file without anything to load, since a host shows it in a frame that
 * may load nothing.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist', 'card', 'what-if.html');

const built = await build({
  configFile: false,
  root: join(root, 'web', 'app-card'),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    write: false,
    target: 'es2023',
    cssCodeSplit: false,
    lib: { entry: 'main.tsx', formats: ['iife'], name: 'card', fileName: 'card', cssFileName: 'card' },
  },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
});
const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
const script = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : [])).join('\n');
const styles = outputs
  .flatMap((output) => (output.type === 'asset' ? [String(output.source)] : []))
  .join('\n');

await mkdir(dirname(target), { recursive: true });
await writeFile(target, page());

function page(): string {
  // A text that ends the element early would be read as markup.
  const inlined = script.replaceAll('</script', '<\\/script');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>What if</title>',
    `<style>${styles}</style></head>`,
    `<body></body><script>${inlined}</script>`,
    '</html>',
    '',
  ].join('\n');
}
