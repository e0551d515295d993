/**
 * A package registry on the loopback interface: it offers what this repository has installed for users of the package,
 * in the version of the lock file. Parts for other machines are not there, as in any registry that npm finds them
 * missing from: they are optional.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const top = fileURLToPath(new URL('../../', import.meta.url));

const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });
const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });

interface Offer {
  readonly directory: string;
  readonly manifest: z.infer<typeof manifestSchema>;
}

export class LoopbackRegistry implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** Packs what is asked for into `scratch`. */
  static async start(scratch: string): Promise<LoopbackRegistry> {
    const offers = installedForUsers();
    const server = createServer((request, response) => {
      answer({ offers, scratch, host: request.headers.host ?? '' }, request.url ?? '', response).catch(
        (thrown) => {
          response.writeHead(500).end(String(thrown));
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    return new LoopbackRegistry(server, `http://127.0.0.1:${port}/`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** What the lock file does not call a development dependency, as far as it is installed here. */
function installedForUsers(): readonly Offer[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev && existsSync(join(top, place, 'package.json')))
    .map(([place]) => {
      const directory = join(top, place);
      const manifest = manifestSchema.parse(
        JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')),
      );
      return { directory, manifest };
    });
}

async function answer(
  {
    offers,
    scratch,
    host,
  }: { readonly offers: readonly Offer[]; readonly scratch: string; readonly host: string },
  url: string,
  response: ServerResponse,
): Promise<void> {
  const [name = '', version] = decodeURIComponent(url.slice(1)).split('/-/');
  const offered = offers.filter(({ manifest }) => manifest.name === name);
  const wanted = offered.find(({ manifest }) => `${manifest.version}.tgz` === version);
  if (wanted) {
    response.end(await readFile(await packed(wanted, scratch)));
    return;
  }
  if (offered.length === 0 || version !== undefined) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    return;
  }
  const versions = await Promise.all(
    offered.map(async (offer) => {
      const { manifest } = offer;
      const bytes = await readFile(await packed(offer, scratch));
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const dist = { tarball: `http://${host}/${name}/-/${manifest.version}.tgz`, integrity };
      return [manifest.version, { ...manifest, dist }] as const;
    }),
  );
  const latest = versions.at(-1)?.[0];
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }));
}

const packing = new Map<string, Promise<string>>();

function packed({ directory, manifest }: Offer, scratch: string): Promise<string> {
  const place = join(scratch, `${manifest.name.replace('/', '+')}-${manifest.version}`);
  const known = packing.get(place) ?? pack(directory, place);
  packing.set(place, known);
  return known;
}

async function pack(directory: string, place: string): Promise<string> {
  await mkdir(place, { recursive: true });
  await symlink(directory, join(place, 'package'));
  const file = `${place}.tgz`;
  // A package below another one is offered on its own.
  const words = ['-czhf', file, '--exclude', 'package/node_modules', '-C', place, 'package'];
  await promisify(execFile)('tar', words, { env: { ...process.env, GZIP: '-1' } });
  return file;
}
