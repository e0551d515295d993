/** A running server that is connected to, and never says a word. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ToolWorld } from '../support/tool-world.ts';

test('start_lsp names an endpoint that accepts and stays silent, and later calls do not wait for it', async () => {
  const sockets: Socket[] = [];
  const listener = createServer((socket) => sockets.push(socket.resume()));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    await using world = await ToolWorld.open({
      'tsconfig.json': '{}',
      'a.ts': 'export const n: number = 1;\n',
    });
    const started = await world.call('start_lsp', {
      root_dir: world.world.root,
      language_id: 'typescript',
      connect: `127.0.0.1:${port}`,
      ready_timeout_seconds: 1,
    });
    expect(started).toMatchObject({ isError: true, meta: { code: 'lsp/endpoint-silent' } });
    expect(started.text).toContain(
      `passive connect failed: no language server answers at 127.0.0.1:${port}: request initialize timed out after 1s`,
    );
    expect(sockets).toHaveLength(1);
    const asked = await world.call('get_diagnostics', { file_path: world.at('a.ts') });
    expect(asked.isError).toBe(false);
    expect(sockets).toHaveLength(1);
  } finally {
    for (const socket of sockets) socket.destroy();
    listener.close();
  }
});
