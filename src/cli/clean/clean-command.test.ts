import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Log } from '../../base/log.ts';
import { type CleanOptions, cleanCommand } from './clean-command.ts';
import { keptKinds } from './clean-kinds.ts';
import { cleanDaily, keptSettings } from './clean-limits.ts';

const dayMs = 24 * 3_600_000;
const calm = new AbortController().signal;
const id = '0a1b2c3d-0000-4000-8000-00000000000';
const hash = 'a'.repeat(16);

let home: string;
let env: NodeJS.ProcessEnv;
let now: number;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forerun-clean-'));
  env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  now = Date.now();
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** A file below the home directory, last changed so many days ago; parent directories are created. */
async function keep(path: string, days: number): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'kept');
  const then = new Date(now - days * dayMs);
  await utimes(file, then, then);
  await utimes(dirname(file), then, then);
  return file;
}

const state = '.local/state/forerun';
const cache = '.cache/forerun';

/** One old entry of every kind below the home directory. */
const places: Readonly<Record<string, string>> = {
  conversations: `${state}/conversations/${hash}/${id}1.jsonl`,
  history: `${state}/history/${hash}.jsonl`,
  sessions: `${state}/sessions/0123456789abcdef/${id}1/session.json`,
  edits: `${state}/edits/0123456789abcdef0123456789abcdef/0123456789abcdef.json`,
  journals: `${state}/journal/${'b'.repeat(16)}/set-aside/${id}1.pending`,
  outcomes: `${state}/speculation.jsonl.1`,
  audit: '.forerun/audit.jsonl.2',
  references: `${cache}/references/${hash}/refs.db`,
  'cargo-target': `${cache}/cargo-target/app-${hash}/debug.d`,
  mirrors: `${cache}/mirrors/${hash}/packed-refs`,
  checkouts: `${cache}/checkouts/${hash}-999999999-0123abcd/main.ts`,
  'broker-logs': `${cache}/spawn-logs/gopls-${'c'.repeat(16)}.log`,
  brokers: `${cache}/daemons/${'d'.repeat(16)}/daemon.json`,
  sockets: `${cache}/run/999999999.sock`,
  mounts: `${cache}/mounts/forerun-mount-AbCdEf/upper`,
};

/** No process of this machine uses the files of these tests. */
const unused = { haveOpen: async () => false, mention: async () => false };
const kinds: typeof keptKinds = (given, limits) =>
  keptKinds(given, limits, unused).filter(({ name }) => name !== 'scratch');

/** Scratch directories in `/tmp` may belong to other processes of this machine. */
const names = Object.keys(places);

async function clean(options: Partial<CleanOptions> = {}) {
  const given = {
    names,
    mode: 'limits',
    effect: 'remove',
    format: 'json',
    env,
    now,
    kinds,
    ...options,
  } as const;
  const { text, code } = await cleanCommand(given, calm);
  return { code, text, removed: given.format === 'json' ? removedIn(text) : [] };
}

/** Sockets of ended processes may also lie in the temporary directory; they do not belong to this test. */
function removedIn(text: string): readonly string[] {
  const { kinds } = JSON.parse(text);
  return kinds
    .flatMap((kind: { removed: { path: string }[] }) => kind.removed.map(({ path }) => path))
    .filter((path: string) => path.startsWith(home));
}

/** Every file below the home directory. */
async function files(): Promise<readonly string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort();
}

test('every kind there is has an example here', async () => {
  const known = keptKinds(env, await keptSettings(env, calm)).map(({ name }) => name);
  expect(known.filter((name) => name !== 'scratch').sort()).toEqual([...names].sort());
});

test('an old entry of each kind goes, a recent one stays', async () => {
  for (const place of Object.values(places)) await keep(place, 400);
  const recent = await keep(`${state}/conversations/${hash}/${id}2.jsonl`, 20);
  const { code, removed } = await clean();
  expect([code, removed.length]).toEqual([0, names.length]);
  expect(await files()).toEqual([recent.slice(home.length + 1)]);
});

test('what a user decided, live journals and whatever is not ours stay, even with --all', async () => {
  const others = [
    `${state}/trust.json`,
    `${state}/journal/${'b'.repeat(16)}/${id}1.pending`,
    `${state}/journal/${'b'.repeat(16)}/${id}1.committed`,
    `${state}/journal/${'b'.repeat(16)}/lock/owner`,
    `${state}/notes.txt`,
    `${state}/conversations/${hash}/notes.txt`,
    `${state}/sessions/0123456789abcdef/my-session/session.json`,
    `${cache}/run/${process.pid}.sock`,
    '.config/forerun/settings.json',
    '.forerun/settings.json',
    'src/main.ts',
  ];
  for (const other of others) await keep(other, 4000);
  await writeFile(join(home, '.config/forerun/settings.json'), '{}');
  expect((await clean({ mode: 'all' })).removed).toEqual([]);
  expect(await files()).toEqual([...others].sort());
});

test('--all removes what is within its limits, but not what changed just now', async () => {
  await keep(places.sessions ?? '', 2);
  const open = await keep(`${state}/sessions/0123456789abcdef/${id}2/session.json`, 0);
  await clean({ mode: 'all' });
  expect(await files()).toEqual([open.slice(home.length + 1)]);
});

test('a dry run shows what a run removes', async () => {
  for (const place of Object.values(places)) await keep(place, 400);
  const before = await files();
  const shown = await clean({ effect: 'show' });
  expect(await files()).toEqual(before);
  expect((await clean()).removed).toEqual(shown.removed);
});

test('only the kinds that are named are looked at', async () => {
  for (const place of Object.values(places)) await keep(place, 400);
  const { removed } = await clean({ names: ['history'] });
  expect(removed).toEqual([join(home, places.history ?? '')]);
  await expect(clean({ names: ['histories'] })).rejects.toMatchObject({ code: 'cli/unknown-kind' });
});

test('links planted in our directories lead to nothing being removed elsewhere', async () => {
  const precious = await keep(`elsewhere/${id}1/session.json`, 4000);
  const elsewhere = join(home, 'elsewhere');
  const sessions = join(home, state, 'sessions', '0123456789abcdef');
  await mkdir(sessions, { recursive: true });
  await symlink(join(elsewhere, `${id}1`), join(sessions, `${id}1`));
  await symlink(elsewhere, join(home, state, 'history'));
  await mkdir(join(home, cache), { recursive: true });
  await symlink(elsewhere, join(home, cache, 'references'));
  await symlink(elsewhere, join(home, cache, 'mounts'));
  expect((await clean({ mode: 'all' })).removed).toEqual([]);
  expect(await files()).toContain(precious.slice(home.length + 1));
});

test('a home that is itself reached by a link is no obstacle', async () => {
  await keep(places.sessions ?? '', 400);
  const link = `${home}-link`;
  await symlink(home, link);
  try {
    expect((await clean({ env: { ...env, HOME: link } })).removed).toHaveLength(1);
  } finally {
    await rm(link);
  }
});

test('the limits are those of the user, never those of a workspace', async () => {
  const settings = JSON.stringify({ storage: { sessionDays: 3 } });
  await keep('.config/forerun/settings.json', 0);
  await writeFile(join(home, '.config/forerun/settings.json'), settings);
  expect((await keptSettings(env, calm)).storage.sessionDays).toBe(3);
  await keep(places.sessions ?? '', 4);
  expect((await clean()).removed).toHaveLength(1);
});

test('the page names sizes, what goes and the sum', async () => {
  await keep(places.sessions ?? '', 400);
  await keep(places.history ?? '', 2);
  const { text } = await clean({ format: 'human', effect: 'show', names: ['history', 'sessions'] });
  expect(text.replaceAll(/[\d.]+ K?B/g, '<size>')).toMatchInlineSnapshot(`
    "history   1 item     <size>
    sessions  1 item  <size>  1 would go (<size>)
    1 item would go, <size>.
    "
  `);
});

test('the daily run happens once a day, however many processes begin it', async () => {
  const events: string[] = [];
  const log = new Log(({ event }) => events.push(event));
  await keep(places.sessions ?? '', 400);
  await cleanDaily({ env, log, now, kinds }, calm);
  expect(events).toEqual(['storage.pruned']);
  await keep(places.sessions ?? '', 400);
  await cleanDaily({ env, log, now: now + dayMs / 2, kinds }, calm);
  expect(events).toEqual(['storage.pruned']);
  await cleanDaily({ env, log, now: now + 2 * dayMs, kinds }, calm);
  expect(events).toEqual(['storage.pruned', 'storage.pruned']);
  expect(await files()).toEqual([`${state}/cleaned`]);
});

test('a daily run that cannot keep its stamp is logged and does not throw', async () => {
  const events: string[] = [];
  await keep('.local/state', 0);
  await cleanDaily({ env, log: new Log(({ event }) => events.push(event)), now }, calm);
  expect(events).toEqual(['storage.prune-failed']);
});
