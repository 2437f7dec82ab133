import type { CliCommand } from '../context/define-command';
import { readSettings, type Settings } from '../../runtime/settings/settings';
import { SettingsError } from '../../runtime/settings/setting';
import type { Finding, Health } from '../doctor/check';
import { EXIT, type ExitCode } from '../context/exit';
import { dataFolder } from '../stack/data-folder';
import { createStatusLine } from '../terminal/status-line';
import { createTerminal, type Tone } from '../terminal/terminal';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';

const MARKS: Record<Health, { mark: string; tone: Tone }> = {
  good: { mark: '✓', tone: 'good' },
  poor: { mark: '!', tone: 'warning' },
  bad: { mark: '✗', tone: 'bad' },
};
const NAME_WIDTH = 18;

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'check what sessions need, and print what to do',
  description:
    'Checks Node.js, Chromium and its sandbox, Temporal, the database and whether it has forgotten something, keepers, disk space, and ' +
    'where the local stack is, and says what to do. Exit code 2 when something keeps sessions from running.',
  examples: [
    ['surefoot doctor', 'a list with ✓, ! and ✗'],
    ['surefoot doctor --model vertexai/gemini-2.5-flash', 'with one tiny, paid call: latency, tokens, cost'],
    ['surefoot doctor --json | jq \'.[] | select(.health == "bad")\'', 'only what is broken'],
  ],
  define: (command, end) =>
    command
      .option('--json', 'print a JSON array')
      .option('--model [names]', 'also call a model once and print latency, tokens and cost; SUREFOOT_MODEL by default')
      .action(async (options: { json?: true; model?: string | true }) => end(await examine(options))),
};

async function examine({ json, model }: { json?: true; model?: string | true }): Promise<ExitCode> {
  const isJson = json === true;
  const terminal = createTerminal();
  const status = createStatusLine(terminal);
  const found: Finding[] = [];
  if (!isJson) status.show('checking');
  for await (const findings of findingsOf(model)) {
    found.push(...findings);
    if (isJson) continue;
    for (const { name, health, message } of findings) {
      const { mark, tone } = MARKS[health];
      terminal.print([
        { text: mark, tone },
        { text: ` ${name.padEnd(NAME_WIDTH)} ${message}`, tone: 'plain' },
      ]);
    }
  }
  status.clear();
  if (isJson) terminal.printJson(found, 2);
  return found.some(({ health }) => health === 'bad') ? EXIT.refused : EXIT.done;
}

async function* findingsOf(model: string | true | undefined): AsyncGenerator<Finding[], void> {
  const machine = await import('../doctor/machine.js');
  yield [machine.checkNode()];
  yield [await machine.checkChromium()];
  yield machine.checkSandbox(dataFolder());
  yield [await machine.checkDisk(dataFolder())];
  if (model !== undefined) {
    const { checkModels } = await import('../doctor/model.js');
    yield await checkModels(model === true ? readSetting(SETTINGS.model, process.env) : model);
  }
  const settings = settingsOrFinding();
  if ('health' in settings) return yield [settings];
  if (settings.stack !== undefined) {
    const { checkAddresses } = await import('../doctor/addresses.js');
    yield await checkAddresses(settings.stack);
  }
  const { checkTemporal } = await import('../doctor/temporal.js');
  yield await checkTemporal(settings.temporal);
  const { checkDatabase } = await import('../doctor/database.js');
  yield await checkDatabase(settings.databaseUrl, settings.home);
}

function settingsOrFinding(): Settings | Finding {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof SettingsError) return { name: 'Services', health: 'bad', message: error.message };
    throw error;
  }
}
