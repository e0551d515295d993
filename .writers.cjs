/**
 * Who may write files: folders (ending in a slash) and files of `src/` that call writing functions of `node:fs`, and what
 * they write. Only `overlay/commit/` writes files of a workspace. Everything else stays in directories of ours or in a
 * scratch directory. `test/tidy/file-writers.test.ts` fails on a writer that is not here and on a row that is not used.
 */
module.exports = {
  'overlay/commit/': 'files of the workspace, and the journal of the transaction',
  'overlay/spill.ts': 'an overlay that is handed to another process',
  'storage/':
    "the user's state and cache directories: audit log, transcripts, cached references, settings written whole",
  'workspace/trust.ts': 'which workspaces the user trusts',
  'session/session-archive.ts': 'the record of a session, shared between processes',
  'process/file-lock.ts': 'locks between processes',
  'process/git-command.ts': "a copy of git's index, so that git never rewrites the real one",
  'git/merge-objects.ts': 'objects of merges that are judged, in a scratch directory',
  'git/repository-mirror.ts': 'the directory of a bare mirror, in the cache of a worker',
  'queue/repository-checkouts.ts': 'the date of the directory of its checkouts, as a sign of use',
  'sandbox/mount.ts': 'what an overlay changes, as files of a mount',
  'sandbox/readonly/provided-file.ts':
    'the output of `<(…)`, in a scratch file that is removed before a command reads it',
  'sandbox/internal/':
    'mounts, copies and scratch directories that processes run in; control groups and namespaces',
  'toolchain/command-run.ts': 'a scratch directory for the report of a test run',
  'broker/broker-claim.ts': 'the claim of one broker for a server',
  'broker/broker-process.ts': 'the socket of a broker',
  'broker/broker-record.ts': 'what is known of a running broker',
  'broker/broker-spawn.ts': 'the log of a broker',
  'host/status/': 'the socket that answers status questions',
  'cli/scratch-directory.ts': 'a scratch directory of one command',
  'cli/clean/clean-limits.ts': 'the limits of age and size that the user sets',
  'cli/config/config-edit.ts': 'the settings file, opened in an editor',
  'cli/daemon/daemon-run.ts': 'the one line by which a broker says that it is ready',
  'cli/demo/demo-command.ts': 'a copy of the sample in a scratch directory',
  'cli/edit/': 'a scratch directory: the page that leads the browser to the editor, a copy of the sample',
  'cli/doctor/examination.ts': 'an example workspace in a scratch directory',
  'cli/whatif/report-output.ts': 'reports, in the files that the user names',
  'cli/setup/': "skills and entries in the configuration of the user's agents",
};
