/**
 * The names that a read-only Python program may use.
 *
 * Invariant: nothing listed here writes, starts a program, loads code or opens a connection.
 */
function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

export const builtins: ReadonlySet<string> = names(`
  print len str int float bool list dict set tuple sorted reversed enumerate zip map filter sum min max any all abs
  round range open isinstance type repr chr ord hex bin oct format divmod pow next frozenset bytes bytearray exit
  quit hash ascii complex`);

/** Builtins that call their first argument. */
export const callers: ReadonlySet<string> = names('map filter reduce');

/** Keyword arguments whose value is called. */
export const calledArguments =
  /^(key|default|object_hook|object_pairs_hook|parse_\w+|cls|default_factory|opener)$/;

export const constants: ReadonlySet<string> = names('True False None Exception ValueError KeyError OSError');

/** Methods of values: text, bytes, collections, files opened for reading, paths, dates, matches. */
export const pythonMethods: ReadonlySet<string> = names(`
  append extend insert remove pop clear index count sort reverse copy get items keys values update setdefault add
  discard union intersection difference symmetric_difference issubset issuperset capitalize casefold center encode
  decode endswith expandtabs find format isalnum isalpha isdigit isdecimal isnumeric isidentifier islower isspace
  istitle isupper join ljust lower lstrip partition replace rfind rindex rjust rpartition rsplit rstrip split
  splitlines startswith strip swapcase title translate upper zfill removeprefix removesuffix hex bit_length as_integer_ratio
  read readline readlines close group groups groupdict start end span findall finditer search match fullmatch sub
  most_common elements total exists is_file is_dir is_symlink iterdir glob rglob relative_to with_suffix with_name
  joinpath as_posix isoformat strftime timestamp date time weekday total_seconds hexdigest digest next writerow
  appendleft popleft rotate isocalendar fromhex is_absolute match_case`);

/** Methods that read the file of a path; only on a literal path. */
export const readingMethods: ReadonlySet<string> = names('read_text read_bytes stat');

interface ModuleNames {
  readonly functions: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const module = (functions: string, values = ''): ModuleNames => ({
  functions: names(functions),
  values: names(values),
});

export const pythonModules: Readonly<Record<string, ModuleNames>> = {
  json: module('load loads dumps', 'JSONDecodeError'),
  sys: module(
    'exit getsizeof getrecursionlimit',
    `stdin argv version version_info path platform executable maxsize
    byteorder stderr prefix base_prefix implementation stdout`,
  ),
  os: module('getcwd listdir cpu_count getpid uname walk fspath', 'sep linesep name'),
  'os.path':
    module(`exists isfile isdir islink join basename dirname splitext getsize abspath relpath getmtime
    normpath isabs split commonprefix`),
  re: module(
    'compile findall search match sub subn split finditer fullmatch escape',
    'IGNORECASE MULTILINE DOTALL VERBOSE I M S X',
  ),
  math: module(
    'sqrt floor ceil log log2 log10 pow factorial gcd lcm sin cos tan exp hypot isclose trunc fsum prod comb',
    'pi e inf nan',
  ),
  collections: module('Counter defaultdict OrderedDict deque'),
  itertools: module('chain groupby islice product combinations permutations zip_longest takewhile dropwhile'),
  'itertools.chain': module('from_iterable'),
  functools: module('reduce'),
  datetime: module('date timedelta', 'timezone'),
  'datetime.datetime': module('now fromisoformat strptime today utcnow fromtimestamp utcfromtimestamp'),
  'datetime.date': module('today fromisoformat'),
  time: module('time strftime gmtime localtime ctime'),
  csv: module('reader DictReader'),
  glob: module('glob iglob'),
  pathlib: module('Path PurePath'),
  'pathlib.Path': module('cwd'),
  hashlib: module('md5 sha1 sha224 sha256 sha384 sha512 blake2b'),
  base64: module('b64decode b64encode urlsafe_b64decode urlsafe_b64encode b32decode b16decode'),
  statistics: module('mean median mode stdev pstdev variance quantiles'),
  string: module('capwords', 'ascii_letters ascii_lowercase ascii_uppercase digits punctuation'),
  textwrap: module('dedent fill wrap indent shorten'),
  pprint: module('pprint pformat pp'),
  platform: module('python_version system machine release python_implementation'),
  tomllib: module('load loads'),
  ast: module(
    'parse literal_eval walk dump',
    'FunctionDef ClassDef Import ImportFrom Call Name AsyncFunctionDef',
  ),
  random: module('random randint choice uniform'),
  uuid: module('uuid4 uuid1 UUID'),
  'urllib.parse': module('quote unquote urlparse urlencode parse_qs quote_plus unquote_plus urlsplit'),
  decimal: module('Decimal'),
  fractions: module('Fraction'),
  html: module('unescape escape'),
  unicodedata: module('name normalize category'),
  difflib: module('unified_diff get_close_matches ndiff'),
  operator: module('itemgetter'),
  calendar: module('month isleap monthrange'),
  sysconfig: module('get_path get_paths get_platform get_python_version'),
  'importlib.metadata': module('version distributions'),
  binascii: module('hexlify unhexlify crc32'),
  zlib: module('crc32 adler32 decompress'),
  struct: module('unpack calcsize'),
  yaml: module('safe_load safe_load_all'),
};

/** Functions of modules that read the file of their first argument. */
export const fileReaders: ReadonlySet<string> = names('os.listdir os.walk glob.glob glob.iglob pathlib.Path');

/** Attributes through which a value leads to frames, code and modules. */
export const refusedAttribute = /^(_|gi_|cr_|ag_|f_|tb_|co_|func_|mro$|modules$|open$|write)/;
