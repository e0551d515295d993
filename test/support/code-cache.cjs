/**
 * Keeps what V8 has compiled of large CommonJS files in `node_modules` for later processes: language servers are started
 * a hundred times in a run, and compile megabytes each time. Newer versions of Node can do this themselves
 * (`NODE_COMPILE_CACHE`), version 20 cannot.
 *
 * Invariant: a cache is used only for the file, the program and the version of Node it was made of. A process that cannot
 * read or write one compiles as ever.
 */
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script, constants } = require('node:vm');

const packages = join(__dirname, '..', '..', 'node_modules');
const caches = join(packages, '.cache', 'forerun-code');

/** To find a cache for a smaller file takes as long as to compile the part of it that is run. */
const leastCharacters = 100_000;

/** A process that ends earlier has compiled too little to be worth keeping. */
const leastSeconds = 0.2;

const longestName = 240;

const compilePlainly = Module.prototype._compile;
const uncached = [];

Module.prototype._compile = function compile(content, filename) {
  const isLarge = content.length >= leastCharacters && !content.startsWith('#!');
  const cache = isLarge && filename.startsWith(packages) ? cacheOf(filename) : undefined;
  if (cache === undefined) return compilePlainly.call(this, content, filename);
  const cachedData = read(cache);
  const script = new Script(Module.wrap(content), {
    filename,
    cachedData,
    // Columns of the first line are those of the file.
    columnOffset: -Module.wrap('').indexOf('\n'),
    importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected) uncached.push({ cache, script });
  const run = script.runInThisContext({ displayErrors: true });
  return run.call(this.exports, this.exports, requireOf(this), this, filename, dirname(filename));
};

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1e6 < leastSeconds) return;
  for (const { cache, script } of uncached) write(cache, script);
});

/** Every program runs other functions of a file. Undefined where the name would be too long for a file system. */
function cacheOf(filename) {
  const { size, mtimeMs } = statSync(filename);
  const program = basename(process.argv[1] ?? '');
  const facts = [process.version, process.arch, program, size, Math.round(mtimeMs), filename];
  const name = facts.join('+').replaceAll('/', '+');
  return name.length > longestName ? undefined : join(caches, name);
}

function read(cache) {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

function write(cache, script) {
  const unfinished = `${cache}+${process.pid}`;
  try {
    mkdirSync(caches, { recursive: true });
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, cache);
  } catch {
    // Another user's process, or one in a sandbox.
  }
}

/** As Node makes it for a module. */
function requireOf(module) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}
