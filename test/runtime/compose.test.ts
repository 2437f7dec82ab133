import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parse } from 'yaml';
import { SECTIONS } from '../../runtime/settings/definitions';
import { settingsOf } from '../../runtime/settings/describe';
import { PROCESS_SECTIONS } from '../../runtime/settings/process-definitions';

const ROOT = join(__dirname, '../..');
const ComposeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ args: z.record(z.string(), z.string()) }).optional(),
      image: z.string().optional(),
      environment: z.record(z.string(), z.string().nullable()).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
      profiles: z.array(z.string()).optional(),
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
    }),
  ),
});

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const { services } = ComposeSchema.parse(parse(text, { merge: true }));
/** The containers of our image: each has a home of its own. */
const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
const GENERATED = ['POSTGRES_PASSWORD', 'SUREFOOT_API_TOKEN', 'SUREFOOT_SECRET_KEY', 'SUREFOOT_PAYLOAD_KEYS'];

test('docker-compose.yml has no password, token or key, and starts nothing without generated ones', () => {
  expect(own.map(([name]) => name).sort()).toEqual(['api', 'engine', 'worker']);
  // Compose itself refuses to start: `:?` stands for a variable that is unset or empty, and what follows is printed.
  const required =
    /^(postgres:\/\/surefoot:)?\$\{(\w+):\?run `sh docker\/make-env\.sh` once, which makes one\}(@postgres:5432\/surefoot)?$/;
  const settings = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment));
  const secrets = settings.filter(([name]) => /PASSWORD|PWD|DATABASE_URL|SECRET_KEY|API_TOKEN|PAYLOAD_KEYS/.test(name));
  expect(secrets.length).toBeGreaterThan(10);
  for (const [name, value] of secrets) expect([name, value]).toEqual([name, expect.stringMatching(required)]);
  expect(new Set(secrets.map(([, value]) => required.exec(value!)![2]))).toEqual(new Set(GENERATED));
});

test('docker/make-env.sh makes them all, random, for their owner alone, and once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-env-'));
  try {
    const [first, second] = ['one', 'two'].map((name) => {
      const file = join(folder, name);
      expect(spawnSync('sh', [join(ROOT, 'docker/make-env.sh'), file]).status).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      return Object.fromEntries(
        readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1)),
      );
    }) as [Record<string, string>, Record<string, string>];
    expect(Object.keys(first)).toEqual(GENERATED);
    for (const name of GENERATED) {
      expect(first[name]).toMatch(/^(first=)?[0-9a-f]{64}$/);
      expect(second[name]).not.toBe(first[name]);
    }
    const again = spawnSync('sh', [join(ROOT, 'docker/make-env.sh'), join(folder, 'one')], { encoding: 'utf8' });
    expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/is there already\. Keep it/)]);
    expect(readFileSync(join(folder, 'one'), 'utf8')).toContain(first['SUREFOOT_API_TOKEN']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('.env is kept out of the repository and of the image', () => {
  for (const name of ['.gitignore', '.dockerignore'])
    expect(readFileSync(join(ROOT, name), 'utf8').split('\n')).toContain('.env');
});

test('docker-compose.yml hands every setting of a container on to it, and none that is no setting', () => {
  const settings = settingsOf({ ...SECTIONS, ...PROCESS_SECTIONS }).map(({ env }) => env);
  // The image has its own browser and one user, a container is a host under its own name, and nothing of it is for tests.
  const ofImage = [
    'CHROMIUM_PATH',
    'FIREFOX_PATH',
    'HEADLESS_SHELL_PATH',
    'SUREFOOT_USERS_FOLDER',
    'SUREFOOT_HOST_ID',
    'SUREFOOT_READY_FILE',
  ];
  const ofTests = ['SUREFOOT_FAULT', 'SUREFOOT_FAULTS_ALLOWED', 'SUREFOOT_CLOCK'];
  const ofLocalStack = ['SUREFOOT_PAGE_KEY', 'SHOP_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'POSTGRES_PORT'];
  const given = new Set(own.flatMap(([, { environment = {} }]) => Object.keys(environment)));
  const missing = settings.filter((name) => !given.has(name));
  expect(missing.sort()).toEqual([...ofImage, ...ofTests, ...ofLocalStack].sort());
  const unknown = [...given].filter((name) => name.startsWith('SUREFOOT_') && !settings.includes(name));
  expect(unknown).toEqual([]);
});

test("docker-compose.yml hands Temporal's connection and the folder of secrets to our containers", () => {
  for (const [, { environment = {}, volumes }] of own) {
    const names = ['TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY'];
    const files = ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'];
    // Without a value: taken from the shell.
    for (const name of [...names, ...files]) expect([name, environment[name]]).toEqual([name, null]);
    expect(volumes).toContain('${SUREFOOT_SECRETS_FOLDER:-./docker/secrets}:/run/secrets:ro');
  }
});

test('nothing is published beyond this machine, and the UI of Temporal is not started unless asked for', () => {
  const ports = Object.entries(services).flatMap(([name, { ports: own = [] }]) => own.map((port) => [name, port]));
  expect(ports).toEqual([
    ['temporal-ui', '127.0.0.1:8233:8080'],
    ['api', '127.0.0.1:3000:3000'],
  ]);
  expect(services['temporal-ui']!.profiles).toEqual(['ui']);
});

test('every image is pinned by an exact version, which a digest can replace', () => {
  const images = Object.values(services).flatMap(({ image, build }) => [image ?? build!.args['NODE_IMAGE']!]);
  for (const image of images) expect(image).toMatch(/^\$\{[A-Z_]+_IMAGE:-[\w./-]+:\d+\.\d+(\.\d+)?(-[\w-]+)?\}$/);
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');
  expect(lines.filter((line) => line.startsWith('FROM '))).toEqual([
    'FROM ${NODE_IMAGE} AS build',
    'FROM ${NODE_IMAGE}',
  ]);
  expect(`\${NODE_IMAGE:-${/^ARG NODE_IMAGE=(.+)$/m.exec(lines.join('\n'))![1]}}`).toBe(
    own[0]![1].build!.args['NODE_IMAGE'],
  );
});

test('no container has or gains capabilities; ours run as a user that is not root, on a read-only root', () => {
  for (const [name, { cap_drop, security_opt = [] }] of Object.entries(services)) {
    expect([name, cap_drop]).toEqual([name, ['ALL']]);
    expect([name, security_opt[0]]).toEqual([name, 'no-new-privileges:true']);
    expect(security_opt.filter((option) => option.includes('unconfined'))).toEqual([]);
  }
  for (const name of ['api', 'engine', 'worker', 'postgres'])
    expect([name, services[name]!.read_only]).toEqual([name, true]);
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');
  // The last stage is the image.
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
});

/** What Docker reads as a profile (moby, profiles/seccomp/seccomp.go). */
const ProfileSchema = z.strictObject({
  defaultAction: z.literal('SCMP_ACT_ERRNO'),
  defaultErrnoRet: z.int(),
  archMap: z.array(
    z.strictObject({ architecture: z.string().regex(/^SCMP_ARCH_/), subArchitectures: z.array(z.string()) }),
  ),
  syscalls: z.array(
    z.strictObject({
      names: z.array(z.string().regex(/^\w+$/)).min(1),
      action: z.enum(['SCMP_ACT_ALLOW', 'SCMP_ACT_ERRNO']),
      errnoRet: z.int().optional(),
      args: z
        .array(
          z.strictObject({
            index: z.int(),
            value: z.int(),
            valueTwo: z.int().optional(),
            op: z.string().regex(/^SCMP_CMP_/),
          }),
        )
        .optional(),
      comment: z.string().optional(),
      includes: z.strictObject({ arches: z.array(z.string()).optional(), minKernel: z.string().optional() }).optional(),
    }),
  ),
});

test("the profile of the browser workers allows what Chrome's sandbox is made of, and no more than that", () => {
  expect(services['worker']!.security_opt).toContain('seccomp:docker/chrome-seccomp.json');
  const profile = ProfileSchema.parse(JSON.parse(readFileSync(join(ROOT, 'docker/chrome-seccomp.json'), 'utf8')));
  const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW');
  const names = new Set(allowed.flatMap((rule) => rule.names));
  for (const name of ['clone', 'unshare', 'chroot', 'execve', 'seccomp'])
    expect([name, names.has(name)]).toEqual([name, true]);
  const dangerous = [
    'mount',
    'umount2',
    'pivot_root',
    'setns',
    'bpf',
    'keyctl',
    'add_key',
    'request_key',
    'kexec_load',
  ];
  const more = [
    'init_module',
    'finit_module',
    'delete_module',
    'open_by_handle_at',
    'perf_event_open',
    'userfaultfd',
    'reboot',
  ];
  for (const name of [...dangerous, ...more, 'io_uring_setup', 'swapon', 'quotactl', 'acct', 'fsopen', 'move_mount'])
    expect([name, names.has(name)]).toEqual([name, false]);
  // Namespaces of users, processes and networks, not of mounts, groups, names and queues.
  const [namespaces] = allowed.find((rule) => rule.names.includes('unshare'))!.args!;
  expect(namespaces).toEqual({ index: 0, value: 0x0e020000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' });
});
