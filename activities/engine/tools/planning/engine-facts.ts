import { withinMs } from '../../../../runtime/time-limit';
import type { SessionValues } from '../../../secrets/session-values';
import { invalidArguments, Refusal } from './arguments';
import type { PlannedFacts } from './call-facts';
import { toConfirmationCard } from './confirmation-cards';
import type { EngineTool } from '../engine-tool';
import { errorMessage } from '../../../../contracts/errors/error-message';

const CONFIRM_LIMIT_MS = 10_000;

/** Plans a call of a user module or an MCP server; the tool itself checks the arguments and says whether it wants a confirmation. */
export async function engineFacts(
  { tool, checkArguments, effect, classification, timeoutMs, server }: EngineTool,
  args: Record<string, unknown>,
  values: SessionValues,
): Promise<PlannedFacts> {
  const wrong = await refuseOnThrow(
    tool.name,
    async () => tool.validateToolParams(args) ?? (await checkArguments?.(args)) ?? null,
  );
  if (wrong !== null) throw invalidArguments(tool.name, wrong);
  const details = await refuseOnThrow(tool.name, async () => {
    const asked = tool.shouldConfirmExecute(args, AbortSignal.timeout(CONFIRM_LIMIT_MS));
    return await withinMs(CONFIRM_LIMIT_MS, asked);
  });
  const card = details === false ? undefined : toConfirmationCard(details, (text) => values.redact(text));
  return {
    classification,
    effect,
    card,
    identity: '',
    run: { kind: 'tool', isFree: effect === 'pure', timeoutMs },
    server,
    approvalScope: card?.type === 'exec' ? card.rootCommand : undefined,
  };
}

/** An error of the tool's own code is a result for the model, not a failure of the turn. */
async function refuseOnThrow<T>(name: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new Refusal(`${name} could not be checked: ${errorMessage(error)}`);
  }
}
