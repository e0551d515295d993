import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type ConfigAnswer,
  type ConfigContext,
  configGet,
  configList,
  configSet,
  configUnset,
} from './config-command.ts';

const calm = new AbortController().signal;

/** A user with their own settings, in a repository. */
class ConfigTrial implements AsyncDisposable {
  readonly #top: string;

  private constructor(top: string) {
    this.#top = top;
  }

  static async open(files: Readonly<Record<string, string>> = {}): Promise<ConfigTrial> {
    const trial = new ConfigTrial(await realpath(await mkdtemp(join(tmpdir(), 'forerun-config-'))));
    await mkdir(trial.at('repository/.git'), { recursive: true });
    await mkdir(trial.at('repository/src'), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(trial.at(path)), { recursive: true });
      await writeFile(trial.at(path), text);
    }
    return trial;
  }

  at(path: string): string {
    return join(this.#top, path);
  }

  read(path: string): Promise<string> {
    return readFile(this.at(path), 'utf8');
  }

  context(over: Partial<ConfigContext> = {}): ConfigContext {
    return {
      env: { XDG_CONFIG_HOME: this.at('config'), HOME: this.at('home') },
      directory: this.at('repository/src'),
      scope: 'all',
      format: 'human',
      ...over,
    };
  }

  set(key: string, ...words: readonly string[]): Promise<ConfigAnswer> {
    return configSet(this.context(), { key, words }, calm);
  }

  async get(key: string): Promise<readonly [string, number]> {
    const { text, code } = await configGet(this.context(), key, calm);
    return [text, code];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#top, { recursive: true, force: true });
  }
}

const userFile = 'config/forerun/settings.json';
const projectFile = 'repository/.forerun/settings.json';

test('what is set is what is got, by its kind', async () => {
  await using trial = await ConfigTrial.open();
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['model.provider', ['ollama'], 'ollama'],
    ['model.name', ['qwen3:8b'], 'qwen3:8b'],
    ['model.name', ['4'], '4'],
    ['model.temperature', ['0.5'], '0.5'],
    ['speculation.enabled', ['false'], 'false'],
    ['permissions.deny', ['Bash(rm:*)', 'Write'], '["Bash(rm:*)","Write"]'],
    ['permissions.allow', ['["Read"]'], '["Read"]'],
    ['permissions.allow', ['Read'], '["Read"]'],
    ['tools.Bash', ['false'], 'false'],
  ];
  for (const [key, words, text] of cases) {
    await trial.set(key, ...words);
    expect(await trial.get(key)).toEqual([`${text}\n`, 0]);
  }
});

test('a setting that has no value is not printed, and the exit code says so', async () => {
  await using trial = await ConfigTrial.open();
  expect(await trial.get('model.name')).toEqual(['', 1]);
  expect((await configGet(trial.context({ format: 'json' }), 'model.name', calm)).text).toBe('null\n');
});

test('the workspace is its repository, wherever inside it one stands', async () => {
  await using trial = await ConfigTrial.open();
  const project = trial.context({ scope: 'project' });
  await configSet(project, { key: 'model.name', words: ['small'] }, calm);
  expect(JSON.parse(await trial.read(projectFile))).toEqual({ model: { name: 'small' } });
  expect(await trial.get('model.name')).toEqual(['small\n', 0]);
  expect((await configList(project, calm)).text).toMatch(/^model\.name {2}small {2}project/);
});

describe('the file of a user', () => {
  const text = `// mine
{
  // which model
  "model": {
    "name": "old", // for a while
    "temperature": 0.2
  },
  "speculation": { "enabled": true }
}
`;

  test('keeps its comments when a value changes, one is added and one is taken out', async () => {
    await using trial = await ConfigTrial.open({ [userFile]: text });
    await trial.set('model.name', 'fresh');
    await trial.set('model.maxTokens', '512');
    await configUnset(trial.context(), 'model.temperature', calm);
    expect(await trial.read(userFile)).toBe(`// mine
{
  // which model
  "model": {
    "name": "fresh", // for a while
    "maxTokens": 512
  },
  "speculation": { "enabled": true }
}
`);
  });

  test('stays byte for byte when nothing changes', async () => {
    await using trial = await ConfigTrial.open({ [userFile]: text });
    expect((await trial.set('model.name', 'old')).text).toMatch(/^already so: model\.name = old/);
    expect((await configUnset(trial.context(), 'model.baseUrl', calm)).text).toMatch(/was not set/);
    expect(await trial.read(userFile)).toBe(text);
  });

  test('is not touched when it is broken', async () => {
    await using trial = await ConfigTrial.open({ [userFile]: '{ "model": ' });
    await expect(trial.set('model.name', 'x')).rejects.toMatchObject({ code: 'cli/broken-config' });
    expect(await trial.read(userFile)).toBe('{ "model": ');
  });
});

describe('a key', () => {
  const secret = 'sk-very-secret';

  test('is piped in, kept for its owner alone and never shown', async () => {
    await using trial = await ConfigTrial.open({ [userFile]: '{}\n' });
    const change = { key: 'keys.anthropic', words: ['-'], piped: `${secret}\n` };
    const answers = [
      await configSet(trial.context(), change, calm),
      await configGet(trial.context(), 'keys.anthropic', calm),
      await configGet(trial.context({ format: 'json' }), 'keys.anthropic', calm),
      await configList(trial.context(), calm),
      await configList(trial.context({ format: 'json' }), calm),
    ];
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(answers[1]?.text).toBe('(set)\n');
    expect(JSON.parse(await trial.read(userFile))).toEqual({ keys: { anthropic: secret } });
    expect((await stat(trial.at(userFile))).mode & 0o777).toBe(0o600);
  });

  test('makes a file of its own that only its owner can read', async () => {
    await using trial = await ConfigTrial.open();
    await configSet(trial.context(), { key: 'keys.openai', words: ['-'], piped: secret }, calm);
    expect((await stat(trial.at(userFile))).mode & 0o777).toBe(0o600);
  });

  test('is not taken from the command line', async () => {
    await using trial = await ConfigTrial.open();
    await expect(trial.set('keys.openai', secret)).rejects.toMatchObject({
      code: 'cli/secret-on-command-line',
    });
  });

  test('is not written into a workspace, and one that stands there is warned of', async () => {
    await using trial = await ConfigTrial.open({ [projectFile]: `{"keys":{"openai":"${secret}"}}` });
    const change = { key: 'keys.openai', words: ['-'], piped: 'sk-other' };
    await expect(configSet(trial.context({ scope: 'project' }), change, calm)).rejects.toMatchObject({
      code: 'cli/not-for-projects',
    });
    const listed = await configList(trial.context(), calm);
    expect(listed.warnings).toEqual([expect.stringContaining('keys are not allowed in a workspace')]);
    expect(JSON.stringify(listed)).not.toContain(secret);
  });
});

test('every setting is listed with its origin and what it is for', async () => {
  await using trial = await ConfigTrial.open({
    [projectFile]: '{"model":{"name":"small"},"tools":{"Bash":false}}',
  });
  await trial.set('speculation.depth', '2');
  expect((await configList(trial.context(), calm)).text).toMatchInlineSnapshot(`
    "model.provider                 -                        default  provider of the model; detected if not set
    model.name                     small                    project  name of the model at its provider; overridden by FORERUN_MODEL
    model.baseUrl                  -                        default  base URL of the provider; overridden by FORERUN_BASE_URL
    model.temperature              0                        default  sampling temperature; 0 always takes the most likely token
    model.maxTokens                8192                     default  maximum length of one answer in tokens
    model.contextTokens            -                        default  context size requested from a local server
    model.thinking                 off                      default  how much the model thinks before it answers
    keys.anthropic                 -                        default  API key for Anthropic; overridden by ANTHROPIC_API_KEY
    keys.openai                    -                        default  API key for OpenAI; overridden by OPENAI_API_KEY
    keys.openai-compatible         -                        default  API key for any other server; overridden by FORERUN_API_KEY
    keys.http                      -                        default  token that clients of the HTTP server must present; overridden by FORERUN_TOKEN
    keys.queue                     -                        default  secret by which callers and workers of a queue sign jobs; overridden by FORERUN_QUEUE_SECRET
    speculation.enabled            true                     default  work ahead of the user while they read; overridden by FORERUN_SPECULATION
    speculation.enterRuns          false                    default  Enter on an empty prompt runs the suggestion
    speculation.depth              2                        user     number of suggestions to work ahead
    speculation.sessionTokens      1000000                  default  token budget for working ahead in one chat
    speculation.dailyTokens        2000000                  default  token budget for working ahead per day
    permissions.mode               default                  default  what the agent may do without asking
    permissions.allow              []                       default  rules for calls that are allowed without asking
    permissions.deny               []                       default  rules for calls that are always denied
    trust.folders                  []                       default  folders in which every workspace may run its own programs
    servers.memoryMegabytes        -                        default  memory limit of all language servers together; overridden by FORERUN_MEMORY_MB
    servers.load                   parts                    default  how much of a large workspace a server loads at first; FORERUN_SCOPE=off loads everything
    servers.cacheDirectory         -                        default  directory for cached answers of servers, or off; overridden by FORERUN_CACHE_DIR
    daemon.use                     auto                     default  whether servers are shared between processes; overridden by FORERUN_DAEMON
    daemon.directory               -                        default  directory for records of shared servers; overridden by FORERUN_DAEMON_DIR
    daemon.idleMs                  1800000                  default  how long a shared server runs without a client; overridden by FORERUN_DAEMON_IDLE_MS
    daemon.startMs                 30000                    default  how long a shared server may take to start; overridden by AGENT_LSP_BROKER_TIMEOUT_MS
    queue.url                      -                        default  address of the queue of evaluations, redis:// or rediss://; overridden by FORERUN_QUEUE
    queue.callerJobs               64                       default  number of jobs that one caller may have in the queue at once
    queue.callerJobsPerMinute      6000                     default  number of jobs that one caller may add to the queue within a minute
    sandbox.tiers                  ["isolated","readonly"]  default  tiers in which commands may run, preferred first; overridden by FORERUN_SANDBOX
    audit.file                     -                        default  file for the audit log of tool calls, or off; overridden by FORERUN_AUDIT_LOG
    audit.previews                 true                     default  whether the audit log shows the beginning of edited texts; overridden by FORERUN_AUDIT_PREVIEWS
    log.level                      -                        default  minimum level of log messages; overridden by FORERUN_LOG_LEVEL
    storage.conversationDays       180                      default  days that conversations and typed lines are kept after their last use
    storage.conversationMegabytes  1024                     default  disk space for conversations
    storage.sessionDays            30                       default  days that sessions and unrecoverable journals are kept after their last use
    storage.sessionMegabytes       500                      default  disk space for sessions
    storage.cacheDays              30                       default  days that caches are kept after their last use
    storage.cacheMegabytes         2048                     default  disk space for each cache
    storage.logDays                90                       default  days that logs are kept after their last line
    storage.logMegabytes           200                      default  disk space for each kind of log
    tools.Bash                     false                    project
    "
  `);
});

test('a name that is no setting is refused with those that are near', async () => {
  await using trial = await ConfigTrial.open();
  await expect(trial.get('model.nam')).rejects.toMatchObject({
    code: 'config/unknown-setting',
    remedy: expect.stringContaining('model.name'),
  });
  await expect(trial.set('model.temperature', 'warm')).rejects.toMatchObject({
    code: 'config/invalid-setting',
  });
});
