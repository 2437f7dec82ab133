import { Option, type Command } from 'commander';
import { BrowserTypeSchema } from '../../contracts/browsers/browser-type';
import { IsolationSchema } from '../../contracts/browsers/isolation';
import { ReplayModeSchema } from '../../contracts/recipes/replay-mode';
import { AgentConfigSchema } from '../../contracts/tasks/agent-config';
import { parseBudget } from './budget-option';
import { collectPair, collectText, toPositiveCount, toSeconds } from './options';
import { collectSecret, collectSeed } from './secret-options';

export const ENV_FILE_OPTION = [
  '--env-file <file>',
  'a file with the variables of --secret, in the format of .env',
] as const;

export function addVariableOptions(command: Command): Command {
  return command
    .option('--variable <name=value>', 'a variable that steps use as ${name}; may be repeated', collectPair, [])
    .option(
      '--variable-env <name=ENV>',
      'the same, its value taken from the environment of the workers and never shown',
      collectPair,
      [],
    );
}

export function addSecretOptions(command: Command): Command {
  return command
    .option(
      '--secret <alias=ENV@origins>',
      'a value that steps use as ${alias}, from a variable of your environment (of the workers for a schedule or batch), for fields of these origins (with commas); may be repeated',
      collectSecret,
    )
    .option(
      '--totp <alias=ENV@origins>',
      'the same with the seed of an authenticator app, whose code is typed; may be repeated',
      collectSeed,
    );
}

/** The options of what a session is started with, for each command that takes it from the command line. */
export function addRequestOptions(command: Command): Command {
  return addSecretOptions(addVariableOptions(command))
    .option('-t, --task', 'each argument is a free task, run with tools, instead of a step')
    .option('-f, --file <file>', 'read the steps from a file; - is standard input')
    .option(
      '--allow-origin <origin>',
      'an origin that the browser may reach, such as https://*.shop.example, and no other; may be repeated',
      collectText,
    )
    .option('--model <model>', 'the model that leads the session (`rules` by default)')
    .option('--model-timeout <seconds>', 'how long a call of the model may take (30 by default)', toSeconds)
    .option('--max-iterations <n>', 'model calls that a step may take', toPositiveCount)
    .option(
      '--budget <limits>',
      'limits, such as tokens=20000,cost=0.50,steps=5,seconds=600, at which it waits for a decision',
      parseBudget,
    )
    .option('--budget-end', 'end at the budget instead of waiting')
    .addOption(
      new Option('--approval-mode <mode>', 'which calls of tools a person is asked about').choices(
        AgentConfigSchema.shape.approvalMode.options,
      ),
    )
    .option('--name <name>', 'what lists call the session, in place of its first step')
    .option('--tenant <name>', 'whose session it is')
    .option('--profile <name>', 'a signed-in state to begin with, and to write back')
    .option('--result-schema <file>', 'a JSON schema of what the session returns, printed last')
    .addOption(
      new Option('--replay <mode>', 'whether recipes are used in place of the model').choices(ReplayModeSchema.options),
    )
    .option('--mail-on-failure <address>', 'who gets a mail when it has failed; may be repeated', collectText)
    .option('--headed', 'show the browser window')
    .addOption(
      new Option('--isolation <kind>', 'context: share a Chrome with other sessions of the tenant').choices(
        IsolationSchema.options,
      ),
    )
    .option('--recording', 'keep a film of the browser')
    .addOption(
      new Option('--browser <type>', 'the browser; chromium alone outlives its worker').choices(
        BrowserTypeSchema.options,
      ),
    );
}
