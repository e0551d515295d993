import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    evaluation: 'src/library/evaluation.ts',
    overlay: 'src/library/overlay.ts',
    queue: 'src/library/queue.ts',
    sandbox: 'src/library/sandbox.ts',
    session: 'src/library/session.ts',
    speculation: 'src/library/speculation.ts',
    cli: 'src/cli/main.ts',
  },
  platform: 'node',
  target: 'node20',
  format: 'esm',
  fixedExtension: false,
  dts: false,
  clean: true,
  // Hundreds of small files cost more to find than to run: what the handshake needs is bundled.
  deps: { alwaysBundle: [/^@modelcontextprotocol\//, /^zod/, 'commander', /^vscode-/] },
});
