import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { describeEffect, EffectStateSchema, type EffectQuery, type SettleEffect } from '../../contracts/sessions/once';
import type { Effects } from '../../service/effects/effects';
import { addCommand, type CliCommand } from '../context/define-command';
import { withServices } from '../context/services';
import { JSON_OPTION } from '../input/options';
import { toAge } from '../terminal/duration';
import { createTerminal, type Terminal } from '../terminal/terminal';
import { printTable } from '../terminal/print-table';

const listEffects: CliCommand = {
  name: 'list',
  summary: 'list what was to happen once, the newest first',
  description: 'Lists keys with the session that has done what they name, or is about to.',
  examples: [
    ['surefoot effects list', 'the newest 100'],
    ['surefoot effects list --state unknown', 'what a person has to look at'],
    ['surefoot effects list --key invoice-4711', 'who has paid this one'],
  ],
  define: (command, end) =>
    command
      .option('--key <key>', 'only this key')
      .option('--tenant <name>', 'only those of this tenant')
      .option('--session <id>', 'only those of this session')
      .option('--state <state>', `only those that are ${EffectStateSchema.options.join(', ')}`, toState)
      .option(...JSON_OPTION)
      .action(async (options: EffectQuery & { json?: true }) => end(await list(options))),
};

const showEffect: CliCommand = {
  name: 'show',
  summary: 'say what is known of one',
  description: 'Says who has done it and when, with the requests that were seen.',
  examples: [['surefoot effects show 17', 'one of the list']],
  define: (command, end) =>
    command.argument('<number>', 'its number in the list', toNumber).action(async (effectId: number) =>
      end(
        await withEffects(async (effects, terminal) => {
          const effect = await effects.get(effectId);
          terminal.print(describeEffect(effect));
          if (effect.reason !== undefined)
            terminal.print(`${effect.settledBy === undefined ? '' : `${effect.settledBy}: `}${effect.reason}`);
        }),
      ),
    ),
};

const settling = (name: string, state: SettleEffect['state'], summary: string, description: string): CliCommand => ({
  name,
  summary,
  description: `${description} Your user name and the reason are kept with it.`,
  examples: [[`surefoot effects ${name} 17 --reason "seen in the bank's list"`, 'with the reason']],
  define: (command, end) =>
    command
      .argument('<number>', 'its number in the list', toNumber)
      .requiredOption('--reason <text>', 'how this is known')
      .action(async (effectId: number, { reason }: { reason: string }) =>
        end(
          await withEffects(async (effects, terminal) => {
            const settled = await effects.settle(effectId, { state, reason, by: userInfo().username });
            terminal.print(describeEffect(settled));
          }),
        ),
      ),
});

const SUBCOMMANDS: readonly CliCommand[] = [
  listEffects,
  showEffect,
  settling(
    'confirm',
    'done',
    'say that it has happened',
    'Says that it has happened, so that no session does it again.',
  ),
  settling(
    'release',
    'released',
    'let it happen again',
    'Frees the key, so that the next session that comes to it does it again.',
  ),
];

export const effects: CliCommand = {
  name: 'effects',
  summary: 'list, show, confirm or release what is to happen once',
  description:
    'A step with `once` enters its key before it commits anything. Another session that comes to the same key finds it done, and does nothing.',
  examples: [
    ['surefoot effects list', 'the newest first'],
    ['surefoot effects release 17 --reason "the bank has sent it back"', 'it may happen again'],
  ],
  define: (command, end) => {
    for (const subcommand of SUBCOMMANDS) addCommand(command, subcommand, end);
  },
};

async function list({ json, ...query }: EffectQuery & { json?: true }): Promise<number> {
  return await withEffects(async (effects, terminal) => {
    const found = await effects.list(query);
    if (json === true) return terminal.printJson(found, 2);
    if (found.length === 0)
      return terminal.print('Nothing was to happen once yet: no step with `once` has committed anything.');
    printTable(
      terminal,
      ['NUMBER', 'STATE', 'TENANT', 'ORIGIN', 'KEY', 'SESSION', 'AGE'],
      found.map(({ effectId, state, tenant, origin, key, sessionId, claimedAt }) => {
        const age = toAge(Date.now() - claimedAt.getTime());
        return [String(effectId), state, tenant, origin, key, sessionId, age];
      }),
    );
  });
}

async function withEffects(work: (effects: Effects, terminal: Terminal) => Promise<void>): Promise<number> {
  return await withServices('reading', async ({ store }) => {
    const { createEffects } = await import('../../service/effects/effects.js');
    await work(createEffects({ store }), createTerminal());
    return 0;
  });
}

function toNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Expected the number of an effect, such as 17.');
}

function toState(text: string) {
  const { success, data } = EffectStateSchema.safeParse(text);
  if (success) return data;
  throw new InvalidArgumentError(`Expected ${EffectStateSchema.options.join(', ')}.`);
}
