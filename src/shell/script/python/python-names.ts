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
  quit hash ascii complex slice callable issubclass id dir`);

/** Builtins that call their first argument. */
export const callers: ReadonlySet<string> = names('map filter reduce');

/** Keyword arguments whose value is called. */
export const calledArguments =
  /^(key|default|object_hook|object_pairs_hook|parse_\w+|cls|default_factory|opener)$/;

export const constants: ReadonlySet<string> =
  names(`True False None Exception ValueError KeyError OSError IndexError
  TypeError FileNotFoundError IOError UnicodeDecodeError AttributeError StopIteration BaseException NotImplemented
  RuntimeError ZeroDivisionError SyntaxError ArithmeticError LookupError PermissionError SystemExit object`);

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
  appendleft popleft rotate isocalendar fromhex is_absolute match_case isoweekday toordinal timetuple ctime now today
  strptime fromtimestamp fromisoformat astimezone utcoffset tzname subn expand namelist infolist
  getnames getmembers getinfo getroot iter itertext findtext iterfind resolve absolute as_uri is_mount is_relative_to with_stem extendleft
  most_common subtract isprintable isascii rfind format_map seek tell readable seekable getvalue
  from_iterable fsum bit_count conjugate is_integer to_bytes from_bytes popitem isdisjoint
  intersection_update difference_update symmetric_difference_update move_to_end wrap fill maketrans`);

/** Methods that read the file of a path; only on a literal path. */
export const readingMethods: ReadonlySet<string> = names('read_text read_bytes stat lstat');

interface ModuleNames {
  readonly functions: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const module = (functions: string, values = ''): ModuleNames => ({
  functions: names(functions),
  values: names(values),
});

export const pythonModules: Readonly<Record<string, ModuleNames>> = {
  json: module('load loads dumps', 'JSONDecodeError decoder'),
  sys: module(
    'exit getsizeof getrecursionlimit getdefaultencoding getfilesystemencoding intern',
    `stdin argv version version_info path platform executable maxsize
    byteorder stderr prefix base_prefix implementation stdout exec_prefix hexversion copyright
    builtin_module_names stdlib_module_names float_info int_info maxunicode api_version`,
  ),
  os: module(
    'getcwd listdir cpu_count getpid uname walk fspath getuid getgid getppid getloadavg scandir',
    'sep linesep name curdir pardir extsep pathsep altsep devnull',
  ),
  'os.path':
    module(`exists isfile isdir islink join basename dirname splitext getsize abspath relpath getmtime
    normpath isabs split commonprefix commonpath getctime getatime realpath samefile lexists splitdrive`),
  re: module(
    'compile findall search match sub subn split finditer fullmatch escape',
    'IGNORECASE MULTILINE DOTALL VERBOSE ASCII I M S X A',
  ),
  math: module(
    `sqrt floor ceil log log2 log10 pow factorial gcd lcm sin cos tan exp hypot isclose trunc fsum prod comb perm isnan isinf isfinite degrees radians asin acos atan atan2
    dist fabs fmod modf copysign cbrt isqrt erf gamma log1p expm1 sumprod`,
    'pi e inf nan',
  ),
  collections: module('Counter defaultdict OrderedDict deque ChainMap'),
  itertools:
    module(`chain groupby islice product combinations permutations zip_longest takewhile dropwhile accumulate starmap
    pairwise batched compress filterfalse combinations_with_replacement tee`),
  'itertools.chain': module('from_iterable'),
  functools: module('reduce'),
  datetime: module('timedelta time', 'timezone UTC MINYEAR MAXYEAR'),
  'datetime.datetime': module(
    'now fromisoformat strptime today utcnow fromtimestamp utcfromtimestamp combine fromordinal',
    'min max',
  ),
  'datetime.date': module('today fromisoformat'),
  time: module(
    'time strftime gmtime localtime ctime perf_counter monotonic process_time strptime mktime asctime time_ns',
    'timezone tzname',
  ),
  csv: module('reader DictReader list_dialects', 'QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE'),
  glob: module('glob iglob'),
  pathlib: module('Path PurePath'),
  'pathlib.Path': module('cwd'),
  hashlib: module(
    'md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s sha3_256 new',
    'algorithms_available algorithms_guaranteed',
  ),
  base64: module('b64decode b64encode urlsafe_b64decode urlsafe_b64encode b32decode b16decode'),
  statistics: module(
    'mean median mode stdev pstdev variance quantiles fmean multimode pvariance median_low median_high harmonic_mean geometric_mean',
  ),
  string: module(
    'capwords',
    'ascii_letters ascii_lowercase ascii_uppercase digits punctuation hexdigits whitespace printable',
  ),
  textwrap: module('dedent fill wrap indent shorten'),
  pprint: module('pprint pformat pp'),
  platform: module(`python_version system machine release python_implementation platform node version uname
    python_version_tuple python_compiler python_build freedesktop_os_release`),
  tomllib: module('load loads'),
  ast: module(
    'parse literal_eval walk dump get_docstring unparse iter_child_nodes iter_fields get_source_segment',
    `FunctionDef ClassDef Import ImportFrom Call Name AsyncFunctionDef Attribute Assign AnnAssign Constant Str Expr Return If
    For While With Try Raise Assert Lambda arguments arg Module List Dict Tuple Set BinOp Compare stmt expr AST`,
  ),
  random: module('random randint choice uniform seed sample randrange gauss choices'),
  uuid: module('uuid4 uuid1 UUID'),
  'urllib.parse': module('quote unquote urlparse urlencode parse_qs quote_plus unquote_plus urlsplit'),
  decimal: module('Decimal'),
  fractions: module('Fraction'),
  html: module('unescape escape'),
  unicodedata: module('name normalize category'),
  difflib: module('unified_diff get_close_matches ndiff context_diff'),
  operator: module('itemgetter mul add sub'),
  calendar: module(
    'month isleap monthrange calendar weekday leapdays',
    'month_name day_name month_abbr day_abbr',
  ),
  sysconfig: module('get_path get_paths get_platform get_python_version get_config_var'),
  'importlib.metadata': module(
    'version distributions metadata requires packages_distributions',
    'PackageNotFoundError',
  ),
  'importlib.util': module('find_spec'),
  binascii: module('hexlify unhexlify crc32'),
  zlib: module('crc32 adler32 decompress compress'),
  struct: module('unpack calcsize unpack_from iter_unpack pack'),
  yaml: module('safe_load safe_load_all', '__version__'),
  io: module('StringIO BytesIO'),
  site: module('getsitepackages getusersitepackages', 'ENABLE_USER_SITE'),
  heapq: module('nlargest nsmallest heapify heappush heappop merge'),
  bisect: module('bisect bisect_left bisect_right insort'),
  copy: module('copy deepcopy'),
  keyword: module('iskeyword', 'kwlist'),
  locale: module('getpreferredencoding getlocale'),
  fnmatch: module('fnmatch filter fnmatchcase translate'),
  shlex: module('split quote join'),
  ipaddress: module('ip_address ip_network ip_interface'),
  colorsys: module('rgb_to_hsv hsv_to_rgb'),
  typing: module('', 'Any Dict List Optional Tuple Union'),
  errno: module('', 'errorcode ENOENT'),
  this: module(''),
  mimetypes: module('guess_type guess_extension'),
  quopri: module('decodestring'),
  sqlite3: module('', 'sqlite_version version'),
  ssl: module('', 'OPENSSL_VERSION'),
  gzip: module('open'),
  bz2: module('open'),
  lzma: module('open'),
  zipfile: module('ZipFile is_zipfile'),
  tarfile: module('open is_tarfile'),
  'xml.etree.ElementTree': module('parse fromstring tostring', 'ParseError'),
  'email.utils': module('parsedate_to_datetime parseaddr formatdate'),
  // Packages of the system, of which only the version is asked.
  ...Object.fromEntries(
    'numpy pandas scipy requests django flask fastapi pydantic sqlalchemy setuptools pip click jinja2 attr rich httpx'
      .split(' ')
      .map((name) => [name, module('', '__version__ VERSION')]),
  ),
};

/** Functions of modules that read the file of their first argument. */
export const fileReaders: ReadonlySet<string> = names(
  `os.listdir os.walk os.scandir glob.glob glob.iglob pathlib.Path gzip.open bz2.open lzma.open zipfile.ZipFile
  zipfile.is_zipfile tarfile.open tarfile.is_tarfile xml.etree.ElementTree.parse`,
);

/** Classes that are called, and have functions of their own. */
export const pythonConstructors: ReadonlySet<string> = names('datetime.datetime datetime.date');

/** Of these the second argument is a mode, which must be one of reading. */
export const openers: ReadonlySet<string> = names(
  'gzip.open bz2.open lzma.open zipfile.ZipFile tarfile.open',
);

/**
 * Attributes through which a value leads to frames, code and modules, and methods that write: as a value, such a method
 * could be handed to a function that calls it.
 */
export const refusedAttribute =
  /^(_|gi_|cr_|ag_|f_|tb_|co_|func_|write|rename|extract|delete)|^(mro|modules|open|unlink|rmdir|mkdir|touch|l?chmod|symlink_to|hardlink_to|link_to|truncate|move|move_into|copy_into|loader|load_module|exec_module|create_module|buffer|raw|detach|setpassword|expanduser|home)$/;
