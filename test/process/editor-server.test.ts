/** The door of the editor: who gets in, what a page that reconnects receives, and what no request reaches. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { defaultLinkLimits } from '../../src/editor/page-link.ts';
import { enter } from '../support/editor-page.ts';
import { EditorWorld } from '../support/editor-world.ts';
import { until } from '../support/until.ts';

/** How a WebSocket that is refused ends: the status of the answer. */
function refusal(address: string, headers: Readonly<Record<string, string>>): Promise<number | 'open'> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address, { headers });
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', () => undefined);
  });
}

describe('who gets in', () => {
  test('a browser with the secret of the address, and no other', async () => {
    await using world = await EditorWorld.open();
    const { url, origin } = world.server;
    const good = await enter(url);
    expect(good.status).toBe(200);
    expect((await enter(`${origin}/#wrong`)).status).toBe(401);
    expect((await enter(`${origin}/`)).status).toBe(401);
    expect((await enter(url, { Origin: 'http://attacker.example' })).status).toBe(403);
    // Another port of this machine is another page.
    expect((await enter(url, { Origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await enter(url, { Origin: 'null' })).status).toBe(403);
  });

  test('a WebSocket needs the cookie, our own origin and our own host', async () => {
    await using world = await EditorWorld.open();
    const { url, origin } = world.server;
    const { link, cookie } = await enter(url);
    const address = `${origin.replace('http', 'ws')}${link}`;
    const own = { Cookie: cookie, Origin: origin };
    expect(await refusal(address, own)).toBe('open');
    expect(await refusal(address, { Origin: origin })).toBe(401);
    expect(await refusal(address, { ...own, Cookie: `${cookie}x` })).toBe(401);
    expect(await refusal(`${address}x`, own)).toBe(401);
    expect(await refusal(address, { Cookie: cookie })).toBe(403);
    expect(await refusal(address, { ...own, Origin: 'http://attacker.example' })).toBe(403);
    expect(await refusal(address, { ...own, Host: 'attacker.example' })).toBe(403);
    const rebound = { ...own, Host: 'attacker.example', Origin: 'http://attacker.example' };
    expect(await refusal(address, rebound)).toBe(403);
  });

  test('the page may run its own scripts and no others, and nothing else is served', async () => {
    await using world = await EditorWorld.open({ files: { 'secret.txt': 'secret' } });
    const { origin } = world.server;
    const page = await fetch(`${origin}/`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(await page.text()).toContain('npm run build');
    for (const path of [
      '/secret.txt',
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/package.json',
      '/.git/config',
    ]) {
      expect((await fetch(`${origin}${path}`)).status, path).toBe(404);
    }
  });

  test('a page of another protocol is told so', async () => {
    await using world = await EditorWorld.open();
    const { link, cookie } = await enter(world.server.url);
    const { origin } = world.server;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${link}`, {
      headers: { Cookie: cookie },
      origin,
    });
    const messages: unknown[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    socket.on('open', () => socket.send(JSON.stringify({ kind: 'hello', protocol: 0, page: 'old' })));
    await new Promise((resolve) => socket.on('close', resolve));
    expect(messages).toMatchObject([{ kind: 'outdated' }]);
  });
});

describe('what no request reaches', () => {
  test('a path outside the workspace, by its name or by a link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'forerun-outside-'));
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await using world = await EditorWorld.open({ files: { 'a.txt': 'a' } });
    await symlink(outside, world.scratch.at('out'));
    await symlink(join(outside, 'secret.txt'), world.scratch.at('link.txt'));
    await mkdir(world.scratch.at('inside'));
    await symlink(world.scratch.at('a.txt'), world.scratch.at('inside/again.txt'));
    const page = await world.page();
    for (const path of [
      '../secret.txt',
      join(outside, 'secret.txt'),
      'out/secret.txt',
      'link.txt',
      'x/../../y',
    ]) {
      await expect(page.request('buffer.open', { path }), path).rejects.toMatchObject({
        code: 'workspace/outside',
      });
      const part = page.request('file.read', { path, offset: 0, bytes: 10 });
      await expect(part, path).rejects.toMatchObject({ code: 'workspace/outside' });
    }
    const list = page.request('file.list', { directory: 'out' });
    await expect(list).rejects.toMatchObject({ code: 'workspace/outside' });
    await expect(page.request('buffer.open', { path: 'a\0b' })).rejects.toMatchObject({
      code: 'workspace/invalid-path',
    });
    // A link inside the workspace is its target.
    expect((await page.open('inside/again.txt')).path).toBe('a.txt');
    await rm(outside, { recursive: true });
  });

  test('a method that does not exist, parameters of another shape, too many requests at once', async () => {
    await using world = await EditorWorld.open({ limits: { ...defaultLinkLimits, requestsInFlight: 2 } });
    const page = await world.page();
    const odd: readonly [string, unknown, string][] = [
      ['nonsense', {}, 'editor/unknown-method'],
      ['constructor', {}, 'editor/unknown-method'],
      ['buffer.open', { path: 7 }, 'editor/invalid-params'],
      ['buffer.open', null, 'editor/invalid-params'],
    ];
    for (const [method, params, code] of odd) {
      const request = page.request as (method: string, params: unknown) => Promise<unknown>;
      await expect(request.call(page, method, params), method).rejects.toMatchObject({ code });
    }
    const many = await Promise.allSettled(
      Array.from({ length: 5 }, () => page.request('file.list', { directory: '' })),
    );
    const refused = many.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(refused).toMatchObject([{ reason: { code: 'editor/too-many-requests' } }, {}, {}]);
    expect((await page.request('file.list', { directory: '' })).entries).toEqual([]);
  });

  test('what is not a message ends the connection, not the editor', async () => {
    await using world = await EditorWorld.open();
    const page = await world.page();
    page.send({ kind: 'nonsense' });
    await until(() => expect(page.isConnected).toBe(false));
    expect((await world.page()).isConnected).toBe(true);
  });
});

describe('a page that reconnects', () => {
  test('receives what it missed, once and in order', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'one' } });
    const typist = await world.page('typist');
    const reader = await world.page('reader');
    const buffer = await typist.open('a.txt');
    await buffer.replace('one', 'two');
    await reader.event('buffer.updated');
    reader[Symbol.dispose]();
    const seen = reader.lastSeq;
    await buffer.replace('two', 'three');
    await buffer.replace('three', 'four');
    const again = await world.page('reader', seen);
    await again.event('buffer.updated', ({ version }) => version === 3);
    expect(again.snapshot).toBeUndefined();
    const updates = again.events.flatMap((event) => (event.kind === 'buffer.updated' ? [event.version] : []));
    expect(updates).toEqual([2, 3]);
    // Other features publish events of their own in between.
    expect(again.seqs).toEqual(again.seqs.map((_, index) => seen + 1 + index));
  });

  test('is given a snapshot if the log does not reach back, or it comes from nowhere', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'one' } });
    const first = await world.page();
    const buffer = await first.open('a.txt');
    await buffer.replace('one', 'two');
    const second = await world.page('second', 1_000_000);
    expect(second.snapshot?.buffers).toMatchObject([{ path: 'a.txt', version: 1, isUnsaved: true }]);
    const other = await second.open('a.txt');
    expect(other.text).toBe('two');
    expect(other.version).toBe(1);
  });

  test('fifty times in a row leaves the editor as it was', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': '0' } });
    const typist = await world.page('typist');
    const buffer = await typist.open('a.txt');
    const seqs: number[] = [];
    let lastSeq: number | undefined;
    for (let round = 0; round < 50; round += 1) {
      const page = await world.page('storm', lastSeq);
      await buffer.replace(String(round), String(round + 1));
      await page.event('buffer.updated', ({ version }) => version === round + 1);
      seqs.push(...page.seqs);
      lastSeq = page.lastSeq;
      page[Symbol.dispose]();
    }
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(buffer.text).toBe('50');
    const state = await world.page();
    expect(state.snapshot?.buffers).toMatchObject([{ path: 'a.txt', isUnsaved: true }]);
    // All at once, and gone without a word.
    const crowd = await Promise.all(Array.from({ length: 50 }, () => world.page()));
    for (const page of crowd) page[Symbol.dispose]();
    await until(() =>
      expect(world.editor.pages.connected.toSorted()).toEqual([state.name, 'typist'].toSorted()),
    );
  });

  test('hears from the back end while nothing happens', async () => {
    await using world = await EditorWorld.open({ limits: { ...defaultLinkLimits, heartbeatMs: 20 } });
    const page = await world.page();
    await until(() => expect(page.heartbeats).toBeGreaterThan(2));
  });

  test('is cut off if it does not say hello', async () => {
    await using world = await EditorWorld.open({ limits: { ...defaultLinkLimits, helloMs: 20 } });
    const { link, cookie } = await enter(world.server.url);
    const { origin } = world.server;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${link}`, {
      headers: { Cookie: cookie },
      origin,
    });
    const [code] = await new Promise<readonly unknown[]>((resolve) =>
      socket.on('close', (...given) => resolve(given)),
    );
    expect(code).toBe(1008);
  });
});
