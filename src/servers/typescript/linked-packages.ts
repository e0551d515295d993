/**
 * Which packages an installation may link from the workspace itself, as seen from a file that imports them.
 *
 * Invariant: a package of the workspace counts as linked unless the manifest of the importer asks for a version of a
 * registry and no workspace has that manifest as a member.
 */
import { fieldOf } from '../../base/record.ts';
import { binds, workspaceKinds } from '../../workspace/workspace-manifest.ts';
import { ancestorsOf, childOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';

export interface PackageManifests {
  /** The texts of all `package.json` files, by path. */
  readonly texts: ReadonlyMap<WorkspacePath, string>;
  /** The text of any other file that may name members; undefined if there is none. */
  readonly read: (path: WorkspacePath) => string | undefined;
  readonly parse: (text: string | undefined) => unknown;
}

export class LinkedPackages {
  readonly #manifests: PackageManifests;
  /** Names of the packages of the workspace; none if no manifest at its root names members. */
  readonly #names: ReadonlySet<string>;

  constructor(manifests: PackageManifests) {
    const { texts, read, parse } = manifests;
    const mayLink =
      [...texts.values()].some((text) => linkingManifest.test(text)) ||
      membersNamedIn.some((name) => linkingList.test(read(childOf(rootPath, name)) ?? ''));
    const names = mayLink ? [...texts.values()].map((text) => fieldOf(parse(text), 'name')) : [];
    this.#manifests = manifests;
    this.#names = new Set(names.filter((name) => typeof name === 'string'));
  }

  async isLinked(name: string, importer: WorkspacePath): Promise<boolean> {
    if (!this.#names.has(name)) return false;
    const { texts, parse } = this.#manifests;
    const directory = ancestorsOf(importer).find((each) => texts.has(childOf(each, 'package.json')));
    if (directory === undefined) return true;
    const manifest = parse(texts.get(childOf(directory, 'package.json')));
    return !isFromRegistry(manifest, name) || (await this.#isMember(directory));
  }

  /** Whether a workspace has the package in this directory as a member. */
  async #isMember(directory: WorkspacePath): Promise<boolean> {
    const { read } = this.#manifests;
    if (unreadLists.some((name) => read(childOf(rootPath, name)) !== undefined)) return true;
    for (const above of [...ancestorsOf(directory), rootPath]) {
      const memberships = await Promise.all(this.#membershipsIn(above));
      const bound = await Promise.all(
        memberships.map((each) => each !== undefined && binds(`/${above}`, [`/${directory}`], each)),
      );
      if (bound.includes(true)) return true;
    }
    return false;
  }

  /** What the manifests in a directory say of the members of a workspace there. */
  #membershipsIn(directory: WorkspacePath) {
    const { texts, read } = this.#manifests;
    return workspaceKinds.flatMap(({ manifests, members }) => {
      const [name = ''] = manifests;
      const path = childOf(directory, name);
      const text = packageLists.includes(name) ? (texts.get(path) ?? read(path)) : undefined;
      return text === undefined ? [] : [members(text)];
    });
  }
}

/** A version or a range of versions, and no address, path or name of another package. */
const registryVersion = /^[~^<>=v]*\s*[\dx*][^:/]*$|^latest$/;

function isFromRegistry(manifest: unknown, name: string): boolean {
  const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  const versions = lists
    .map((list) => fieldOf(fieldOf(manifest, list), name))
    .filter((each) => each !== undefined);
  return (
    versions.length > 0 && versions.every((each) => typeof each === 'string' && registryVersion.test(each))
  );
}

/** Files that name the members of a workspace of packages, and are read for it. */
const packageLists = ['package.json', 'pnpm-workspace.yaml'];
/** Files that name them too, in forms that are not read: everything may be a member. */
const unreadLists = ['lerna.json', 'rush.json', 'deno.json'];
const membersNamedIn = ['pnpm-workspace.yaml', ...unreadLists];
const linkingList = /\bpackages\b|\bprojects\b|\bworkspace\b/;
const linkingManifest = /"workspaces"\s*:|:\s*"(?:workspace|file|link|portal):/;

/** The package that a specifier names. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
