import type { CliCommand } from '../context/define-command';
import { EXIT } from '../context/exit';
import { reachableModels, type ReachableModel } from '../doctor/reachable-models';
import { JSON_OPTION } from '../input/options';
import { createTerminal } from '../terminal/terminal';

export const models: CliCommand = {
  name: 'models',
  summary: 'list the models that can be reached from here',
  description:
    'Looks for keys of vendors in the environment and for servers at the usual ports of Ollama, LM Studio, ' +
    'llama.cpp and vLLM, and prints the line that uses each model.',
  examples: [
    ['surefoot models', 'a line for each model'],
    ["surefoot models --json | jq -r '.[].model'", 'only their names'],
  ],
  define: (command, end) =>
    command.option(...JSON_OPTION).action(async ({ json }: { json?: true }) => {
      const terminal = createTerminal();
      const found = await reachableModels(process.env);
      if (json === true) terminal.printJson(found, 2);
      else if (found.length === 0)
        terminal.print('No key and no server was found: sessions use rules, which is built in.');
      else for (const each of found) printModel(terminal, each);
      end(EXIT.done);
    }),
};

function printModel(terminal: ReturnType<typeof createTerminal>, { model, from, env }: ReachableModel): void {
  const settings = Object.entries({ ...env, SUREFOOT_MODEL: model }).map(([name, value]) => `${name}='${value}'`);
  terminal.print(`${model} (${from})`);
  terminal.print(`  ${settings.join(' ')} npx surefoot start`);
}
