import { expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { type GovernedPool, type GovernedServer, Governor } from './governor.ts';

interface Standing {
  readonly pid: number;
  readonly bytes: number;
  readonly isIdle?: boolean;
  /** Milliseconds since a caller held it. */
  readonly unusedMs?: number;
}

/** A governor over the pools of the table, and a list of the servers it ended. */
function govern(budgetBytes: number, table: Readonly<Record<string, readonly Standing[]>>) {
  const sizes = new Map(Object.values(table).flatMap((row) => row.map(({ pid, bytes }) => [pid, bytes])));
  let measurements = 0;
  const governor = new Governor({
    budgetBytes,
    log: silentLog,
    maxAgeMs: { lease: 0, start: 0 },
    measure: async () => {
      measurements += 1;
      return sizes;
    },
  });
  const ended: (number | undefined)[] = [];
  const pools = new Map<string, GovernedPool>();
  for (const [name, row] of Object.entries(table)) {
    const governed: GovernedServer[] = row.map(({ pid, isIdle = true, unusedMs = 0 }) => {
      return { pid, isIdle, usedAt: performance.now() - unusedMs };
    });
    const retire = (server: GovernedServer): void => {
      governed.splice(governed.indexOf(server), 1);
      ended.push(server.pid);
    };
    const pool = { name, governed, retire };
    pools.set(name, pool);
    governor.join(pool);
  }
  const pool = (name: string): GovernedPool => {
    const known = pools.get(name);
    if (!known) throw new Error(`no pool ${name}`);
    return known;
  };
  return { governor, pool, ended, measurements: () => measurements };
}

const minute = 60_000;
const mb = 1024 * 1024;

const growth: readonly {
  readonly what: string;
  readonly budget: number;
  readonly table: Readonly<Record<string, readonly Standing[]>>;
  readonly granted: boolean;
  readonly ended: readonly number[];
}[] = [
  {
    what: 'there is room for a server as large as its largest sibling',
    budget: 300,
    table: {
      asking: [
        { pid: 1, bytes: 100, isIdle: false },
        { pid: 2, bytes: 50, isIdle: false },
      ],
    },
    granted: true,
    ended: [],
  },
  {
    what: 'there is not, and nobody else has anything to give',
    budget: 199,
    table: { asking: [{ pid: 1, bytes: 100, isIdle: false }] },
    granted: false,
    ended: [],
  },
  {
    what: 'another pool has a replica to spare: it goes, the longest unused first',
    budget: 400,
    table: {
      asking: [{ pid: 1, bytes: 100, isIdle: false }],
      other: [
        { pid: 2, bytes: 100, unusedMs: 10 },
        { pid: 3, bytes: 100, unusedMs: 30 },
        { pid: 4, bytes: 100, unusedMs: 20 },
      ],
    },
    granted: true,
    ended: [3],
  },
  {
    what: 'only held ones could make room',
    budget: 300,
    table: {
      asking: [{ pid: 1, bytes: 100, isIdle: false }],
      other: [
        { pid: 2, bytes: 100, isIdle: false },
        { pid: 3, bytes: 100, isIdle: false },
      ],
    },
    granted: false,
    ended: [],
  },
  {
    what: 'the only server of another pool was used just now',
    budget: 200,
    table: {
      asking: [{ pid: 1, bytes: 100, isIdle: false }],
      other: [{ pid: 2, bytes: 100, unusedMs: 1000 }],
    },
    granted: false,
    ended: [],
  },
  {
    what: 'all but the last of another pool are enough',
    budget: 300,
    table: {
      asking: [{ pid: 1, bytes: 100, isIdle: false }],
      other: [
        { pid: 2, bytes: 100, unusedMs: 10 },
        { pid: 3, bytes: 100, unusedMs: 20 },
      ],
    },
    granted: true,
    ended: [3],
  },
  {
    what: 'the last of another pool would have to go as well',
    budget: 200,
    table: {
      asking: [{ pid: 1, bytes: 100, isIdle: false }],
      other: [
        { pid: 2, bytes: 100, unusedMs: 10 },
        { pid: 3, bytes: 100, unusedMs: 20 },
      ],
    },
    granted: false,
    ended: [],
  },
  {
    what: 'the only server of another pool has long been deserted',
    budget: 200,
    table: {
      asking: [{ pid: 1, bytes: 100, isIdle: false }],
      other: [{ pid: 2, bytes: 100, unusedMs: 2 * minute }],
    },
    granted: true,
    ended: [2],
  },
  {
    what: 'ending all that is idle would still not do: then nothing is ended for nothing',
    budget: 250,
    table: {
      asking: [{ pid: 1, bytes: 200, isIdle: false }],
      other: [{ pid: 2, bytes: 100, unusedMs: 2 * minute }],
    },
    granted: false,
    ended: [],
  },
];

test.each(growth)(
  'asked for a further server when $what (invariant 1)',
  async ({ budget, table, granted, ended }) => {
    const world = govern(budget, table);
    const grant = await world.governor.admitFurther(world.pool('asking'));
    expect(grant !== undefined).toBe(granted);
    expect(world.ended).toEqual(ended);
  },
);

test('what is reserved for a server that is starting is not granted to another (invariant 4)', async () => {
  const { governor, pool } = govern(250, { asking: [{ pid: 1, bytes: 100, isIdle: false }] });
  const grant = await governor.admitFurther(pool('asking'));
  expect(grant).toBeDefined();
  expect(await governor.admitFurther(pool('asking'))).toBeUndefined();
  grant?.[Symbol.dispose]();
  expect(await governor.admitFurther(pool('asking'))).toBeDefined();
});

test('asked at once, it does not grant the same memory twice (invariant 4)', async () => {
  const { governor, pool, measurements } = govern(250, { asking: [{ pid: 1, bytes: 100, isIdle: false }] });
  const answers = await Promise.all([1, 2, 3].map(() => governor.admitFurther(pool('asking'))));
  expect(answers.filter((grant) => grant !== undefined)).toHaveLength(1);
  expect(measurements()).toBe(1);
});

test('a first server is never refused, and idle ones of other pools make room for it (invariant 2)', async () => {
  const table = {
    asking: [],
    old: [{ pid: 1, bytes: 200 * mb, unusedMs: 2000 }],
    recent: [{ pid: 2, bytes: 200 * mb, unusedMs: 1000 }],
    busy: [{ pid: 3, bytes: 200 * mb, isIdle: false }],
  };
  const { governor, pool, ended } = govern(700 * mb, table);
  expect(await governor.admitFirst(pool('asking'))).toBeDefined();
  expect(ended).toEqual([1]);
  expect(await governor.admitFirst(pool('asking'))).toBeDefined();
  expect(ended).toEqual([1, 2]);
});

test('when memory runs short as leases end, the longest unused go, but never the one used last (invariants 1 and 3)', async () => {
  const { governor, ended } = govern(150, {
    a: [
      { pid: 1, bytes: 100, unusedMs: 30 },
      { pid: 2, bytes: 100, unusedMs: 0 },
    ],
    b: [{ pid: 3, bytes: 100, unusedMs: 20 }],
    busy: [{ pid: 4, bytes: 100, unusedMs: 40, isIdle: false }],
  });
  await governor.relieve();
  expect(ended).toEqual([1, 3]);
  await governor.relieve();
  expect(ended).toEqual([1, 3]);
});

test('measuring is not repeated at every lease', async () => {
  let measurements = 0;
  const measure = async () => {
    measurements += 1;
    return new Map<number, number>();
  };
  const governor = new Governor({ budgetBytes: 1, log: silentLog, measure });
  for (let lease = 0; lease < 100; lease += 1) await governor.relieve();
  expect(measurements).toBe(1);
});

test('a server that cannot be measured counts as an ordinary one, and one that is not ours as none', async () => {
  const governor = new Governor({ budgetBytes: 1, log: silentLog, measure: async () => new Map() });
  const server = (pid: number | undefined) => ({ pid, isIdle: true, usedAt: 0 });
  governor.join({ name: 'a', governed: [server(undefined)], retire: () => {} });
  expect((await governor.use()).usedBytes).toBe(0);
  governor.join({ name: 'b', governed: [server(1)], retire: () => {} });
  expect((await governor.use()).usedBytes).toBe(300 * mb);
});

test('a measurement that fails leaves the budget in force', async () => {
  const governor = new Governor({
    budgetBytes: 1,
    log: silentLog,
    measure: () => Promise.reject(new Error('no /proc')),
  });
  const governed = [{ pid: 1, isIdle: false, usedAt: 0 }];
  const pool = { name: 'a', governed, retire: () => {} };
  governor.join(pool);
  expect(await governor.admitFurther(pool)).toBeUndefined();
});
