/**
 * The names that a read-only JavaScript program may use.
 *
 * Invariant: nothing listed here writes, starts a program, loads code, opens a connection or keeps the process alive.
 */
function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Methods of values: strings, arrays, objects, numbers, dates, maps, sets, buffers, directory entries. */
export const javaScriptMethods: ReadonlySet<string> = names(`
  at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize
  padEnd padStart repeat replace replaceAll search slice split startsWith substr substring toLowerCase toUpperCase
  toLocaleLowerCase toLocaleUpperCase trim trimEnd trimStart entries every fill filter find findIndex findLast
  findLastIndex flat flatMap forEach join keys map pop push reduce reduceRight reverse shift some sort splice
  toReversed toSorted toSpliced unshift values with copyWithin hasOwnProperty toFixed toPrecision toLocaleString
  toISOString toDateString toTimeString toLocaleDateString toLocaleTimeString getTime getFullYear getMonth getDate
  getDay getHours getMinutes getSeconds getMilliseconds getTimezoneOffset get has set add clear delete test exec
  toString isFile isDirectory isSymbolicLink update digest valueOf readUInt8 readUInt16LE readUInt32LE readUInt32BE
  subarray equals byteLength`);

/** Builtin functions that may be called, or passed as arguments. */
export const functions: ReadonlySet<string> = names(`
  Boolean String Number parseInt parseFloat isNaN isFinite BigInt Array Object encodeURIComponent decodeURIComponent
  encodeURI decodeURI structuredClone atob btoa`);

export const constructors: ReadonlySet<string> = names('Date Set Map URL URLSearchParams RegExp Array Error');

/** The members of builtin objects and of Node's modules: functions, and after a comma plain values. */
export const members: Readonly<Record<string, readonly [ReadonlySet<string>, ReadonlySet<string>]>> = {
  JSON: [names('parse stringify'), names('')],
  Math: [
    names('abs ceil floor max min round sqrt pow log log2 log10 trunc sign random hypot cbrt exp sin cos'),
    names('PI E'),
  ],
  Object: [names('keys values entries fromEntries assign freeze hasOwn groupBy is'), names('')],
  Array: [names('from isArray of'), names('')],
  Number: [
    names('isInteger isNaN isFinite isSafeInteger parseFloat parseInt'),
    names('MAX_SAFE_INTEGER MIN_SAFE_INTEGER EPSILON MAX_VALUE'),
  ],
  String: [names('raw fromCharCode fromCodePoint'), names('')],
  Date: [names('now parse UTC'), names('')],
  Buffer: [names('from byteLength concat'), names('')],
  console: [names('log error info warn table dir debug'), names('')],
  process: [
    names('cwd uptime memoryUsage hrtime exit'),
    names('version versions platform arch argv pid release exitCode'),
  ],
  standardOutput: [names('write'), names('columns isTTY')],
  fs: [names('readFileSync existsSync readdirSync statSync lstatSync'), names('')],
  path: [
    names('join basename extname dirname resolve relative normalize isAbsolute parse'),
    names('sep delimiter'),
  ],
  os: [names('platform arch cpus totalmem freemem release type uptime loadavg tmpdir'), names('EOL')],
  util: [names('inspect format'), names('')],
  crypto: [names('createHash randomUUID'), names('')],
};

/** Builtin modules of Node that may be required, by any of their names. */
export const javaScriptModules: Readonly<Record<string, string>> = {
  fs: 'fs',
  'node:fs': 'fs',
  path: 'path',
  'node:path': 'path',
  os: 'os',
  'node:os': 'os',
  util: 'util',
  'node:util': 'util',
  crypto: 'crypto',
  'node:crypto': 'crypto',
};

/** Properties through which a value leads to code. */
export const refusedProperties: ReadonlySet<string> = names(`
  constructor __proto__ prototype __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee
  arguments`);

export const values: ReadonlySet<string> = names('true false null undefined NaN Infinity');

/** Words of the language that are neither values nor accepted statements. */
export const refusedWords: ReadonlySet<string> = names(`
  function class this super import export await async yield with debugger eval globalThis global module exports
  arguments delete while do switch case default throw new return const let var for if else try catch finally
  enum static get set Function Proxy Reflect Symbol WebAssembly fetch setTimeout setInterval setImmediate
  queueMicrotask require process console in of instanceof typeof void break continue`);
