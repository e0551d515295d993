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
  subarray equals byteLength getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds
  setDate setMonth setFullYear setHours setMinutes setSeconds toUTCString toJSON format formatToParts resolvedOptions
  compare select difference union intersection isSubsetOf isSupersetOf isDisjointFrom symmetricDifference append
  decode encode isBlockDevice isFIFO isSocket readInt8 readInt16LE readInt32LE readInt32BE readUInt16BE readDoubleLE
  readBigUInt64LE isWellFormed toWellFormed search`);

/** Builtin functions that may be called, or passed as arguments. */
export const functions: ReadonlySet<string> = names(`
  Boolean String Number parseInt parseFloat isNaN isFinite BigInt Array Object encodeURIComponent decodeURIComponent
  encodeURI decodeURI structuredClone atob btoa`);

export const constructors: ReadonlySet<string> = names(`
  Date Set Map URL URLSearchParams RegExp Array Error TypeError RangeError WeakMap WeakSet TextDecoder TextEncoder
  Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array BigInt64Array DataView
  ArrayBuffer`);

/** The members of builtin objects and of Node's modules: functions, and after a comma plain values. */
export const members: Readonly<Record<string, readonly [ReadonlySet<string>, ReadonlySet<string>]>> = {
  JSON: [names('parse stringify'), names('')],
  Math: [
    names(`abs ceil floor max min round sqrt pow log log2 log10 trunc sign random hypot cbrt exp sin cos tan asin acos atan
      atan2 sinh cosh tanh log1p expm1 fround clz32 imul`),
    names('PI E LN2 LN10 SQRT2 LOG2E LOG10E'),
  ],
  Object: [
    names('keys values entries fromEntries assign freeze hasOwn groupBy is getOwnPropertyNames isFrozen'),
    names(''),
  ],
  Array: [names('from isArray of'), names('')],
  Number: [
    names('isInteger isNaN isFinite isSafeInteger parseFloat parseInt'),
    names('MAX_SAFE_INTEGER MIN_SAFE_INTEGER EPSILON MAX_VALUE'),
  ],
  String: [names('raw fromCharCode fromCodePoint'), names('')],
  Date: [names('now parse UTC'), names('')],
  Buffer: [names('from byteLength concat alloc compare isBuffer'), names('')],
  Intl: [
    names('NumberFormat DateTimeFormat Collator RelativeTimeFormat ListFormat PluralRules supportedValuesOf'),
    names(''),
  ],
  performance: [names('now'), names('timeOrigin')],
  console: [names('log error info warn table dir debug group groupEnd count assert time timeEnd'), names('')],
  process: [
    names('cwd uptime memoryUsage hrtime exit cpuUsage'),
    names('version versions platform arch argv pid ppid release exitCode title execPath features config'),
  ],
  standardOutput: [names('write'), names('columns isTTY')],
  fs: [names('readFileSync existsSync readdirSync statSync lstatSync'), names('')],
  path: [
    names('join basename extname dirname resolve relative normalize isAbsolute parse format matchesGlob'),
    names('sep delimiter'),
  ],
  os: [
    names(`platform arch cpus totalmem freemem release type uptime loadavg tmpdir hostname homedir version machine
      availableParallelism endianness`),
    names('EOL'),
  ],
  util: [names('inspect format isDeepStrictEqual stripVTControlCharacters styleText'), names('')],
  crypto: [names('createHash createHmac randomUUID getHashes randomBytes'), names('')],
  url: [names('parse format fileURLToPath pathToFileURL domainToASCII domainToUnicode'), names('')],
  querystring: [names('parse stringify escape unescape'), names('')],
  zlib: [
    names('gunzipSync inflateSync brotliDecompressSync unzipSync gzipSync deflateSync crc32'),
    names(''),
  ],
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
  url: 'url',
  'node:url': 'url',
  querystring: 'querystring',
  'node:querystring': 'querystring',
  zlib: 'zlib',
  'node:zlib': 'zlib',
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

/** The operators between two values. */
export const binary: ReadonlySet<string> = names(
  '+ - * / % ** == === != !== < > <= >= && || ?? & | ^ << >> >>> in instanceof',
);

/** The operators that assign. */
export const assigning: ReadonlySet<string> = names('= += -= *= /= %= ??= ||= &&=');
