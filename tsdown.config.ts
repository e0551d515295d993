import { defineConfig } from 'tsdown';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

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
  // A dependency of the package is a native program, a server or a parser of its own. Everything else is bundled: the
  // parts that are used take a tenth of the packages, and hundreds of small files cost more to find than to run.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  plugins: [thirdPartyNotices()],
});
