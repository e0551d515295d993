/** The manifests of docs/guide/scale-out.md: they parse, and everything they name exists. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { buildProgram } from '../../src/cli/program.ts';
import { settingVariables } from '../../src/config/environment.ts';

const guide = readFileSync(new URL('../../docs/guide/scale-out.md', import.meta.url), 'utf8');

function documents(kind: 'compose' | 'kubernetes'): readonly unknown[] {
  const block = new RegExp(`\`\`\`yaml ${kind}\\n(.*?)\`\`\``, 's').exec(guide)?.[1];
  return parseAllDocuments(block ?? '').map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

/** Every flag is one of `forerun worker`, every variable one of ours. */
function expectKnown(words: readonly string[], variables: readonly string[]): void {
  const program = buildProgram({ signal: new AbortController().signal, closing: () => {} }, () => {});
  const worker = program.commands.find((command) => command.name() === 'worker');
  const [name, ...rest] = words;
  expect(name).toBe('worker');
  const known = worker?.options.map(({ long }) => long);
  const flags = rest.filter((word) => word.startsWith('--'));
  expect(flags.length).toBeGreaterThan(0);
  for (const flag of flags) expect(known).toContain(flag);
  const ours = Object.values(settingVariables).flat();
  expect(variables).toEqual(['FORERUN_QUEUE', 'FORERUN_QUEUE_SECRET']);
  for (const variable of variables) expect(ours).toContain(variable);
}

test('the compose file has a queue that loses nothing and workers that know it', () => {
  const service = z.object({
    image: z.string(),
    command: z.array(z.string()),
    environment: z.record(z.string(), z.string()).optional(),
    volumes: z.array(z.string()),
    depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).optional(),
  });
  const [file] = documents('compose');
  const { services, volumes } = z
    .object({
      services: z.object({ redis: service, worker: service }),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(file);
  const { redis, worker } = services;
  expect(redis.command.join(' ')).toContain('--appendonly yes');
  expect(redis.command.join(' ')).toContain('--maxmemory-policy noeviction');
  expectKnown(worker.command, Object.keys(worker.environment ?? {}));
  expect(Object.keys(worker.depends_on ?? {})).toEqual(['redis']);
  for (const mount of [...redis.volumes, ...worker.volumes])
    expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
});

test('the Kubernetes manifests fit together', () => {
  const [secret, deployment, ...others] = documents('kubernetes');
  expect(others).toEqual([]);
  const { metadata, stringData } = z
    .object({
      apiVersion: z.literal('v1'),
      kind: z.literal('Secret'),
      metadata: z.object({ name: z.string() }),
      stringData: z.record(z.string(), z.string()),
    })
    .parse(secret);
  const labels = z.record(z.string(), z.string());
  const variable = z.object({
    name: z.string(),
    valueFrom: z.object({ secretKeyRef: z.object({ name: z.literal(metadata.name), key: z.string() }) }),
  });
  const probe = z.object({
    httpGet: z.object({ path: z.enum(['/health', '/ready']), port: z.literal('metrics') }),
  });
  const container = z.object({
    args: z.array(z.string()),
    env: z.array(variable),
    ports: z.array(z.object({ name: z.literal('metrics'), containerPort: z.number() })),
    livenessProbe: probe,
    readinessProbe: probe,
    volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  });
  const { spec } = z
    .object({
      apiVersion: z.literal('apps/v1'),
      kind: z.literal('Deployment'),
      spec: z.object({
        selector: z.object({ matchLabels: labels }),
        template: z.object({
          metadata: z.object({ labels }),
          spec: z.object({
            terminationGracePeriodSeconds: z.number().min(5),
            containers: z.array(container).length(1),
            volumes: z.array(z.object({ name: z.string() })),
          }),
        }),
      }),
    })
    .parse(deployment);
  const { template, selector } = spec;
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  for (const { args, env, ports, volumeMounts } of template.spec.containers) {
    expectKnown(
      args,
      env.map(({ name }) => name),
    );
    for (const { valueFrom } of env) expect(Object.keys(stringData)).toContain(valueFrom.secretKeyRef.key);
    expect(args[args.indexOf('--metrics-port') + 1]).toBe(String(ports[0]?.containerPort));
    expect(template.spec.volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
  }
});
