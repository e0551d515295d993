import { expect, test } from 'vitest';
import type { RequestOptions } from '../../lsp/language-server.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { OverlayEffect } from '../projection.ts';
import { BrokeredProjects } from './brokered-projects.ts';

const signal = AbortSignal.timeout(60_000);

function path(text: string): WorkspacePath {
  const parsed = parseWorkspacePath(text);
  if (parsed === undefined) throw new Error(`${text} is no path`);
  return parsed;
}

/** A broker that answers by method and notes what it was asked. */
function brokerWith(answers: Readonly<Record<string, unknown>>) {
  const asked: { readonly method: string; readonly options: RequestOptions }[] = [];
  const shown: OverlayEffect = new Map();
  const projection = { shown, diskEpoch: 1, uri: (file: WorkspacePath) => `file:///work/${file}` };
  const server = {
    async request(method: string, _params: unknown, options: RequestOptions): Promise<unknown> {
      asked.push({ method, options });
      return answers[method];
    },
  };
  return { asked, projection, server };
}

test('a request is limited by its caller alone, however many files the broker checks before', async () => {
  const broker = brokerWith({
    'forerun/projectCount': 2,
    'forerun/projects': {
      configs: ['tsconfig.json'],
      held: ['a.ts'],
      checkedLibraries: [],
      elsewhere: {},
      otherReaders: {},
    },
    'forerun/projectDiagnostics': { diagnostics: [] },
    'forerun/projectFiles': { 'tsconfig.json': ['a.ts', '/elsewhere/lib.d.ts'] },
    'custom/projectInfo': { configFilePath: '/work/tsconfig.json' },
  });
  const projects = new BrokeredProjects(broker);
  await projects.count(signal);
  const shown = await projects.current(signal);
  await shown?.diagnostics(path('a.ts'), { hints: 'wanted' }, signal);
  await shown?.problemsElsewhere([path('a.ts')], signal);
  const programs = await shown?.programFiles(signal);
  expect(programs).toEqual(new Map([['tsconfig.json', new Set(['a.ts', '/elsewhere/lib.d.ts'])]]));
  await projects.takesIn(path('a.ts'), signal);
  expect(broker.asked).toHaveLength(6);
  for (const { options } of broker.asked) expect(options.timeoutMs).toBe(Number.POSITIVE_INFINITY);
});

test('the number of projects is asked for again when the disk or a configuration of the overlay changed', async () => {
  const broker = brokerWith({ 'forerun/projectCount': 1 });
  const { projection } = broker;
  const shows = (file: string) =>
    Object.assign(projection, { shown: new Map([[path(file), { kind: 'text', text: '' }]]) });
  const projects = new BrokeredProjects(broker);
  const count = async () => {
    await projects.count(signal);
    return broker.asked.length;
  };
  expect([await count(), await count()]).toEqual([1, 1]);
  shows('src/a.ts');
  expect(await count()).toBe(1);
  shows('packages/a/tsconfig.json');
  expect([await count(), await count()]).toEqual([2, 3]);
  shows('src/a.ts');
  expect(await count()).toBe(3);
  projection.diskEpoch = 2;
  expect(await count()).toBe(4);
});
