/**
 * Attempts to get out of a sandbox or to read what is not the workspace's.
 *
 * Invariant: a probe that succeeds prints CANARY or THROUGH; one that could not even be tried does not print DONE.
 */
import { join } from 'node:path';

export interface Probe {
  readonly name: string;
  readonly command: string;
}

/** Where the attempts are made. */
export interface ProbeWorld {
  readonly home: string;
  readonly root: string;
  /** Files that hold a canary, outside the workspace. */
  readonly canaries: readonly string[];
  /** What connects: paths, or names of abstract sockets that begin with a zero byte. */
  readonly sockets: readonly string[];
  readonly port: number;
}

/** Relative to the home directory. */
export const homeSecrets: readonly string[] = [
  '.ssh/id_ed25519',
  '.ssh/config',
  '.aws/credentials',
  '.aws/config',
  '.azure/msal_token_cache.json',
  '.config/gcloud/application_default_credentials.json',
  '.kube/config',
  '.docker/config.json',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.cargo/credentials.toml',
  '.cargo/credentials',
  '.cargo/config.toml',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.gradle/init.d/company.gradle',
  '.gnupg/private-keys-v1.d/key',
  '.password-store/mail.gpg',
  '.git-credentials',
  '.gitconfig',
  '.config/git/credentials',
  '.config/git/config',
  '.config/gh/hosts.yml',
  '.config/hub',
  '.config/pip/pip.conf',
  '.config/rclone/rclone.conf',
  '.config/composer/auth.json',
  '.config/google-chrome/Default/Cookies',
  '.mozilla/firefox/profile/logins.json',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.profile',
  '.bashrc',
  '.env',
  '.local/share/keyrings/login.keyring',
  '.local/share/uv/credentials/token',
  '.local/state/forerun/journal.json',
  '.cache/forerun/answer.json',
  '.cache/mozilla/page',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.gem/credentials',
  '.nuget/NuGet/NuGet.Config',
  '.pub-cache/credentials.json',
  '.dotnet/corefx/cryptography/x509stores/my/key.pfx',
  '.bundle/config',
  '.claude/.credentials.json',
  'Documents/letter.txt',
  'w/sibling/source.ts',
  'w/notes.txt',
  'kube/config',
  'runtime/token',
];

/** Directories of the system in which only root can plant something. */
export const systemSecretDirectories: readonly string[] = [
  '/srv',
  '/mnt',
  '/media',
  '/boot',
  '/root',
  '/home',
  '/etc',
  '/opt',
  '/run',
  '/tmp',
  '/dev/shm',
  '/var/tmp',
  '/var/lib',
  '/var/log',
  '/var/spool',
  '/var/cache',
];

export function probesOf(world: ProbeWorld): readonly Probe[] {
  const { home, root, canaries, sockets, port } = world;
  return [
    ...canaries.map((path) => ({
      name: `the secret ${path.replace(home, '~')}`,
      command: `cat ${quoted(path)}`,
    })),
    ...table(elsewhere(home, root)),
    ...table(surroundings),
    ...sockets.map((path) => ({
      name: `the socket ${socketName(path)}`,
      command: connecting(JSON.stringify(path)),
    })),
    { name: 'a port on the loopback', command: connecting(`{ host: '127.0.0.1', port: ${port} }`) },
    { name: 'the network', command: connecting("{ host: '192.0.2.1', port: 80 }") },
    ...table(processes),
    ...table(mounts),
    ...table(devices),
    ...(process.arch === 'x64' ? table(systemCalls) : []),
  ];
}

function table(probes: Readonly<Record<string, string>>): readonly Probe[] {
  return Object.entries(probes).map(([name, command]) => ({ name, command }));
}

/** What a hostile workspace tries by links and configuration of its own. */
const elsewhere = (home: string, root: string): Readonly<Record<string, string>> => ({
  'a link in the workspace to a secret': 'cat leak/id_ed25519',
  'a link to a sibling': 'cat sibling/source.ts',
  'a repository that the workspace says is elsewhere': `cat ${quoted(join(home, '.ssh/id_ed25519'))}; git config --list; ls ${quoted(join(home, '.ssh'))} && echo THROUGH`,
  'an interpreter that the workspace says is elsewhere': `ls ${quoted(join(home, 'kube'))} && echo THROUGH`,
  'a file of KUBECONFIG inside the workspace': 'cat kubeconfig',
  'the parent of the workspace': `ls -A ${quoted(join(root, '..'))} | grep -v '^p$' && echo THROUGH`,
  'a search of what can be written':
    'grep -rs --exclude-dir=.pyenv CANARY- /etc /var /run /tmp /dev/shm /home /root /srv ~ .',
  'the names of other people':
    'cut -d: -f3 /etc/passwd | grep -v -x -e "$(id -u)" -e 65534 | grep -E \'[0-9]{4}\' && echo THROUGH',
  'the environment': 'env; export -p',
  'the environment of a process':
    "cat /proc/self/environ /proc/1/environ /proc/[0-9]*/environ | tr '\\0' '\\n'",
  'a variable that names a socket':
    'env | grep -E "SSH_AUTH_SOCK|DBUS|DOCKER_HOST|XDG_RUNTIME" && echo THROUGH',
});

const surroundings: Readonly<Record<string, string>> = {
  'the password file': 'cat /etc/shadow && echo THROUGH',
  'the keys of the ssh server': 'ls /etc/ssh && echo THROUGH',
  'private keys of the system': 'ls /etc/ssl/private && echo THROUGH',
  'the rules of sudo': 'ls /etc/sudoers /etc/sudoers.d && echo THROUGH',
  'the identity of the machine': 'cat /etc/machine-id && echo THROUGH',
  'the socket of docker': 'ls /var/run/docker.sock /run/docker.sock && echo THROUGH',
  'the runtime directories of users': 'ls /run/user && echo THROUGH',
  'the devices of the system': 'ls /sys/class /sys/fs/cgroup && echo THROUGH',
  'the old root': 'ls /old /old_root /.old && echo THROUGH',
  'the root above the root': 'cd /; cd ../../..; ls | grep -x -e media -e boot -e mnt -e sys && echo THROUGH',
};

const processes: Readonly<Record<string, string>> = {
  'descriptors that were open': 'ls /proc/self/fd | grep -v -x -e 0 -e 1 -e 2 -e 3 && echo THROUGH',
  'descriptors of the first process': 'ls /proc/1/fd | grep -v -x -e 0 -e 1 -e 2 -e 3 && echo THROUGH',
  'processes of the host': 'test $(ls /proc | grep -c "^[0-9]") -gt 8 && echo THROUGH',
  'the root of another process': 'ls /proc/[0-9]*/root/srv /proc/[0-9]*/root/boot && echo THROUGH',
  'the working directory of another process':
    'for p in /proc/[0-9]*/cwd; do ls "$p/../../.." ; done 2>/dev/null | grep -x CANARY',
  'the first process': 'kill -9 1; sleep 0.1; kill -0 1 2>/dev/null || echo THROUGH',
  'a signal to the host': "kill -0 $(( $(cut -d ' ' -f 4 /proc/self/stat) + 100000 )) && echo THROUGH",
  'the keys of the session':
    'keyctl show @s | grep -i canary; keyctl print %user:forerun-canary; grep -i canary /proc/keys',
  'the keys of the user': 'keyctl show @u | grep -i canary; keyctl print %user:forerun-user-canary',
  'shared memory of the host': "ipcs -m | grep -q '^0x' && echo THROUGH",
  'a core file': 'test "$(ulimit -c)" = 0 || echo THROUGH',
};

const mounts: Readonly<Record<string, string>> = {
  'a new mount': 'mount -t tmpfs none /tmp && echo THROUGH',
  'a bind mount': 'mount --bind /usr /tmp && echo THROUGH',
  'a system directory made writable': 'mount -o remount,rw,bind /usr && echo THROUGH',
  'the root made writable': 'mount -o remount,rw,bind / && echo THROUGH',
  'a mount taken away': 'umount /tmp && echo THROUGH',
  'the process table taken away': 'umount -l /proc && echo THROUGH',
  'mounts in a user namespace':
    'unshare --user --map-root-user --mount sh -c "umount -l /proc || mount -t tmpfs x /usr" && echo THROUGH',
  'a user namespace': 'unshare --user --map-root-user true && echo THROUGH',
  'a network namespace': 'unshare --user --net true && echo THROUGH',
  'the namespace of another process': 'nsenter --target 1 --mount true && echo THROUGH',
  'another root': 'chroot /usr /bin/true && echo THROUGH; pivot_root / /tmp && echo THROUGH',
  'a file in a system directory': 'touch /usr/forerun-probe && echo THROUGH',
  'a file in the configuration': 'touch /etc/forerun-probe && echo THROUGH',
  'a file in the root': 'touch /forerun-probe && echo THROUGH',
  'a program of a toolchain': 'echo x >> ~/.local/bin/tool && echo THROUGH',
  'a setting of the kernel': 'echo 1 > /proc/sys/kernel/panic && echo THROUGH',
  'the name of the core file': "echo '|/tmp/x' > /proc/sys/kernel/core_pattern && echo THROUGH",
  'the keys of the kernel console': 'echo h > /proc/sysrq-trigger && echo THROUGH',
  'the name of the machine': 'hostname forerun-probe && echo THROUGH',
  'the clock': 'date -s 2001-01-01 && echo THROUGH',
  'a program that runs as its owner':
    'cp /bin/cat mine && chmod u+s mine; grep -q "NoNewPrivs:.1" /proc/self/status || echo THROUGH',
};

const devices: Readonly<Record<string, string>> = {
  'a block device made': 'mknod disk b 254 0 && head -c 1 disk && echo THROUGH',
  'a block device in memory': 'mknod /tmp/disk b 254 0 && head -c 1 /tmp/disk && echo THROUGH',
  'a character device made': 'mknod mem c 1 1 && head -c 1 mem && echo THROUGH',
  'memory of the machine': 'head -c 1 /dev/mem /dev/kmem /dev/port /proc/kcore | grep -q . && echo THROUGH',
  'disks of the machine':
    'ls /dev/sd* /dev/vd* /dev/nvme* /dev/dm-* /dev/mapper /dev/loop* 2>/dev/null && echo THROUGH',
  'messages of the kernel': '(dmesg || head -c 1 /dev/kmsg) | grep -q . && echo THROUGH',
  'devices beyond the harmless ones':
    'ls /dev | grep -v -x -e null -e zero -e full -e random -e urandom -e tty -e fd -e stdin -e stdout -e stderr -e ptmx -e pts -e shm && echo THROUGH',
  'the terminal it was started from': 'echo x > /dev/tty && echo THROUGH',
  'virtual machines, graphics, user file systems': 'ls /dev/kvm /dev/dri /dev/fuse /dev/net && echo THROUGH',
};

/** By number, as on x64: through if anything but the expected refusal is the answer. */
const systemCalls: Readonly<Record<string, string>> = {
  'the call keyctl': calling(250, [0, -3, 0], 1),
  'the call add_key': calling(248, [0, 0, 0, 0, -3], 1),
  'the call request_key': calling(249, [0, 0, 0, 0], 1),
  'the call bpf': calling(321, [0, 0, 0], 1),
  'the call perf_event_open': calling(298, [0, 0, -1, -1, 0], 1),
  'the call userfaultfd': calling(323, [0], 1),
  'the call io_uring_setup': calling(425, [1, 0], 1),
  'the call open_by_handle_at': calling(304, [-1, 0, 0], 1),
  'the call mount': calling(165, [0, 0, 0, 0, 0], 1),
  'the call open_tree': calling(428, [-100, 0, 0], 1),
  'the call fsopen': calling(430, [0, 0], 1),
  'the call setns': calling(308, [0, 0], 1),
  'the call unshare with a namespace': calling(272, [0x10000000], 1),
  'the call clone with a namespace': calling(56, [0x10000011, 0, 0, 0, 0], 1),
  'the call clone3': calling(435, [0, 0], 38),
  'the call kexec_load': calling(246, [0, 0, 0, 0], 1),
  'the call init_module': calling(175, [0, 0, 0], 1),
  'the call reboot': calling(169, [0, 0, 0, 0], 1),
  'the call swapon': calling(167, [0, 0], 1),
  'the call acct': calling(163, [0], 1),
  'the call ioctl that types into a terminal': calling(16, [0, 0x5412, 0], 1),
  'a socket to a hypervisor': calling(41, [40, 1, 0], 97),
  'a socket of the kernel crypto interface': calling(41, [38, 5, 0], 97),
  'a raw packet socket': calling(41, [17, 3, 0], 97),
  'a call of the x32 convention': calling(0x40000000 + 39, [], 38),
};

function calling(number: number, args: readonly number[], errno: number): string {
  return `perl -e 'my $r = syscall(${[number, ...args].join(', ')}); print $r < 0 && $! + 0 == ${errno} ? "refused" : "THROUGH $r $!"'`;
}

/** A node program that tries to connect. */
export function connecting(target: string): string {
  const script = `const s = require('net').connect(${target}); s.setTimeout(5000, () => s.destroy()); s.on('connect', () => { console.log('THROUGH'); s.destroy() }).on('error', (e) => console.log(e.code))`;
  return `node -e ${quoted(script)}`;
}

function socketName(path: string): string {
  return path.startsWith('\0') ? 'without a path' : path.split('/').slice(-2).join('/');
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
