import type { CliCommand } from '../context/define-command';
import { readSettings, type Settings } from '../../runtime/settings/settings';
import { SettingsError } from '../../runtime/settings/setting';
import type { Finding, Health } from '../doctor/check';
import { CliError, EXIT, type ExitCode } from '../context/exit';
import { JSON_OPTION } from '../input/options';
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

interface DoctorOptions {
  json?: true;
  model?: string | true;
  baseUrl?: string;
}

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'check what sessions need, and print what to do',
  description:
    'Checks Node.js, Chromium and its sandbox, Temporal, the database, keepers, disk space and the local stack, ' +
    'and says what to do. Exit code 2: sessions can not run.',
  examples: [
    ['surefoot doctor', 'a list with ✓, ! and ✗'],
    [
      'surefoot doctor --model vertexai/gemini-2.5-flash',
      'with four small, paid calls: reply, tool call, picture, speed',
    ],
    [
      'surefoot doctor --model ai:openai-compatible/qwen3 --base-url http://127.0.0.1:8080/v1',
      'a server of your own, with its context window',
    ],
    ['surefoot doctor --json | jq \'.[] | select(.health == "bad")\'', 'only what is broken'],
  ],
  define: (command, end) =>
    command
      .option(...JSON_OPTION)
      .option(
        '--model [names]',
        'also try a model: a reply in a schema, a tool call, context window, a picture, speed, and the profile that follows; SUREFOOT_MODEL by default',
      )
      .option('--base-url <url>', 'where the model of --model is served, in place of the environment')
      .action(async (options: DoctorOptions) => end(await examine(options))),
};

async function examine(options: DoctorOptions): Promise<ExitCode> {
  const { json, model, baseUrl } = options;
  if (baseUrl !== undefined && model === undefined) throw new CliError('--base-url needs --model: name the model too.');
  const isJson = json === true;
  const terminal = createTerminal();
  const status = createStatusLine(terminal);
  const found: Finding[] = [];
  if (!isJson) status.show('checking');
  for await (const findings of findingsOf(options)) {
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

async function* findingsOf({ model, baseUrl }: DoctorOptions): AsyncGenerator<Finding[], void> {
  const machine = await import('../doctor/machine.js');
  yield [machine.checkNode()];
  yield [await machine.checkChromium(), machine.checkOtherBrowsers()];
  yield machine.checkSandbox(dataFolder());
  yield [await machine.checkDisk(dataFolder())];
  if (model !== undefined) {
    const { checkModels } = await import('../doctor/model.js');
    yield await checkModels(model === true ? readSetting(SETTINGS.model, process.env) : model, baseUrl);
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
  if (settings.files.bucket === undefined) return;
  const { checkFiles } = await import('../doctor/files.js');
  yield await checkFiles(settings.files, settings.home);
}

function settingsOrFinding(): Settings | Finding {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof SettingsError) return { name: 'Services', health: 'bad', message: error.message };
    throw error;
  }
}
