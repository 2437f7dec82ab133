import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { StorageStateSchema, type ProfileDetails, type ProfileId } from '../../contracts/sessions/profile';
import { DEFAULT_TENANT } from '../../contracts/sessions/start-request';
import { issuesOf } from '../../contracts/errors/issues';
import type { Profiles } from '../../service/profiles/profiles';
import { addCommand, type CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { oneLineOf, toIssueLines } from '../context/failure';
import { withServices } from '../context/services';
import { JSON_OPTION } from '../input/options';
import { toAge } from '../terminal/duration';
import { toTable } from '../terminal/table';
import { createTerminal, type Terminal } from '../terminal/terminal';
import { printTable } from '../terminal/print-table';
import { loginProfile } from '../profiles/login';

interface TenantOption {
  tenant?: string;
}

const addTenant = (command: Command): Command => command.option('--tenant <name>', 'whose profile it is');
const withName = (command: Command): Command => addTenant(command.argument('<name>', 'the name of a profile'));
const toId = (name: string, { tenant = DEFAULT_TENANT }: TenantOption): ProfileId => ({ tenant, name });

const listProfiles: CliCommand = {
  name: 'list',
  summary: 'list profiles, and which session has one now',
  description: 'Lists profiles with their newest version, and the session that has one now.',
  examples: [['surefoot profiles list', 'those of all tenants']],
  define: (command, end) =>
    command
      .option('--tenant <name>', 'only those of this tenant')
      .option(...JSON_OPTION)
      .action(async (options: TenantOption & { json?: true }) => end(await list(options))),
};

const showProfile: CliCommand = {
  name: 'show',
  summary: 'say what a profile holds, and until when',
  description: 'Names cookies with their expiry, and the origins that have stored something. It shows no value.',
  examples: [['surefoot profiles show acme-admin', 'one profile']],
  define: (command, end) =>
    withName(command)
      .option(...JSON_OPTION)
      .action(async (name: string, { json, ...options }: TenantOption & { json?: true }) =>
        end(
          await withProfiles(async (profiles, terminal) => {
            const profile = await profiles.get(toId(name, options));
            if (json === true) terminal.printJson(profile, 2);
            else print(terminal, profile);
          }),
        ),
      ),
};

const forgetProfile: CliCommand = {
  name: 'forget',
  summary: 'delete a profile',
  description: 'Deletes a profile with all its versions. A session that has it goes on, and does not write it.',
  examples: [['surefoot profiles forget acme-admin', 'sessions that name it begin signed out']],
  define: (command, end) =>
    withName(command).action(async (name: string, options: TenantOption) =>
      end(
        await withProfiles(async (profiles, terminal) => {
          await profiles.forget(toId(name, options));
          terminal.print(`The profile ${name} is deleted.`);
        }),
      ),
    ),
};

const exportProfile: CliCommand = {
  name: 'export',
  summary: 'print a profile as a storage state of Playwright',
  description:
    'Prints cookies, localStorage and IndexedDB with their values, as Playwright reads them. Whoever has the file is signed in.',
  examples: [['surefoot profiles export acme-admin > acme.json', 'for browser.newContext({ storageState })']],
  define: (command, end) =>
    withName(command).action(async (name: string, options: TenantOption) =>
      end(
        await withProfiles(async (profiles, terminal) => {
          terminal.printJson(await profiles.exportState(toId(name, options)), 2);
        }),
      ),
    ),
};

const importProfile: CliCommand = {
  name: 'import',
  summary: 'make a storage state of Playwright the newest version',
  description: 'Reads what context.storageState({ indexedDB: true }) has written. A profile that is not there is made.',
  examples: [['surefoot profiles import acme-admin acme.json', 'sessions that name it begin signed in']],
  define: (command, end) =>
    addTenant(
      command.argument('<name>', 'the name of a profile').argument('<file>', 'a storage state, as JSON'),
    ).action(async (name: string, file: string, options: TenantOption) => {
      const state = await readState(file);
      return end(
        await withProfiles(async (profiles, terminal) => {
          print(terminal, await profiles.importState(toId(name, options), state));
        }),
      );
    }),
};

const restoreProfile: CliCommand = {
  name: 'restore',
  summary: 'make an earlier version the newest',
  description: 'Makes an earlier version the newest one. The last ten are kept.',
  examples: [['surefoot profiles restore acme-admin 3', 'sessions begin with what version 3 had']],
  define: (command, end) =>
    addTenant(
      command.argument('<name>', 'the name of a profile').argument('<version>', 'its number', toVersion),
    ).action(async (name: string, version: number, options: TenantOption) =>
      end(
        await withProfiles(async (profiles, terminal) => {
          print(terminal, await profiles.restore(toId(name, options), version));
        }),
      ),
    ),
};

const SUBCOMMANDS = [
  loginProfile,
  listProfiles,
  showProfile,
  forgetProfile,
  exportProfile,
  importProfile,
  restoreProfile,
];

export const profiles: CliCommand = {
  name: 'profiles',
  summary: 'sign in to, list, show, forget, export, import or restore signed-in states',
  description:
    'A session with `"profile": "NAME"` begins with the cookies and the storage of the profile, and writes them back when it completes.',
  examples: [
    ['surefoot profiles list', 'all of them'],
    ['surefoot run --profile acme-admin "Open https://acme.example"', 'a session that begins signed in'],
  ],
  define: (command, end) => {
    for (const subcommand of SUBCOMMANDS) addCommand(command, subcommand, end);
  },
};

async function list({ tenant, json }: TenantOption & { json?: true }): Promise<number> {
  return await withProfiles(async (profiles, terminal) => {
    const found = await profiles.list(tenant);
    if (json === true) return terminal.printJson(found, 2);
    if (found.length === 0) return terminal.print('There is no profile yet: a session with a new name writes one.');
    printTable(
      terminal,
      ['NAME', 'TENANT', 'VERSION', 'AGE', 'SESSION'],
      found.map(({ name, tenant: owner, version, savedAt, usedBy = '' }) => {
        const age = savedAt === undefined ? '' : toAge(Date.now() - savedAt.getTime());
        return [name, owner, String(version), age, usedBy];
      }),
    );
  });
}

function print(terminal: Terminal, profile: ProfileDetails): void {
  const { name, tenant, version, savedAt, usedBy, cookies, storage, passkeys, omitted } = profile;
  const saved = savedAt === undefined ? 'nothing is saved yet' : `version ${version} of ${savedAt.toISOString()}`;
  terminal.print(`${name} of ${tenant}: ${saved}${usedBy === undefined ? '' : `; session ${usedBy} has it`}`, 'strong');
  const cookieRows = cookies.map((each) => [
    each.domain,
    each.name,
    each.expiresAt?.toISOString() ?? 'with its browser',
  ]);
  if (cookies.length > 0) terminal.printBlock(toTable(['DOMAIN', 'COOKIE', 'EXPIRES'], cookieRows));
  const originRows = storage.map(({ origin, entries, databases }) => [origin, String(entries), String(databases)]);
  if (storage.length > 0) terminal.printBlock(toTable(['ORIGIN', 'LOCAL STORAGE', 'DATABASES'], originRows));
  const passkeyRows = passkeys.map(({ site, user = '' }) => [site, user]);
  if (passkeys.length > 0) terminal.printBlock(toTable(['SITE', 'PASSKEY OF'], passkeyRows));
  terminal.printBlock(omitted.map((what) => `Not saved: ${what}.`));
}

async function readState(file: string) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} can't be read: ${oneLineOf(error)}.`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's message would show a part of the file.
    throw new CliError(`${file} is not valid JSON; expected what context.storageState() of Playwright writes.`);
  }
  const parsed = StorageStateSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CliError(`${file} is no storage state of Playwright:`, toIssueLines(issuesOf(parsed.error)));
}

async function withProfiles(work: (profiles: Profiles, terminal: Terminal) => Promise<void>): Promise<number> {
  return await withServices('reading', async ({ store }) => {
    const { createProfiles } = await import('../../service/profiles/profiles.js');
    await work(createProfiles({ store }), createTerminal());
    return 0;
  });
}

function toVersion(text: string): number {
  const version = Number(text);
  if (Number.isInteger(version) && version > 0) return version;
  throw new InvalidArgumentError('Expected the number of a version, such as 3.');
}
