import type { Client } from '@temporalio/client';
import { connectTemporal } from '../../service/connection/connect-temporal';
import type { TemporalServer } from '../../runtime/settings/temporal';
import { SEARCH_ATTRIBUTES } from '../../contracts/sessions/search-attributes';
import { BROWSERS_QUEUE, ENGINE_QUEUE } from '../../contracts/queues';
import { oneLineOf } from '../context/failure';
import { assertReachable, temporalEndpoint } from '../context/endpoints';
import { checkActivityCost } from './activity-cost';
import { finding, type Finding } from './check';
import { asCalled } from '../terminal/as-called';

const WITHIN_MS = 10_000;
const ATTRIBUTE_NAMES = Object.keys(SEARCH_ATTRIBUTES);

// Numbers of the protocol: the client does not export its enums.
const KIND = { workflow: 1, activity: 2 } as const;

export async function checkTemporal(server: TemporalServer): Promise<Finding[]> {
  const { address } = server;
  try {
    await assertReachable(temporalEndpoint(address));
  } catch (error) {
    return [finding('bad', 'Temporal', oneLineOf(error))];
  }
  const temporal = connectTemporal(server);
  try {
    const found = await temporal.withDeadline(Date.now() + WITHIN_MS, () => checkServer(temporal, address));
    if (found.some(({ health }) => health === 'bad')) return found;
    return [
      ...found,
      await attempt('Search attributes', 'poor', () => checkSearchAttributes(temporal)),
      await attempt('Engine workers', 'bad', () => checkEngineWorkers(temporal)),
      await attempt('Browser workers', 'bad', () => checkBrowserWorkers(temporal)),
      await attempt('Activities', 'poor', () => checkActivityCost(temporal)),
    ];
  } finally {
    await temporal.connection.close();
  }
}

/** Runs the check; a check that fails is a finding too. */
async function attempt(name: string, health: 'poor' | 'bad', check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return finding(health, name, `could not be checked: ${oneLineOf(error)}.`);
  }
}

async function checkServer(temporal: Client, address: string): Promise<Finding[]> {
  const { namespace } = temporal.options;
  try {
    const { serverVersion } = await temporal.workflowService.getSystemInfo({});
    const server = finding('good', 'Temporal', `${serverVersion} answers at ${address}`);
    try {
      await temporal.workflowService.describeNamespace({ namespace });
      return [server, finding('good', 'Namespace', namespace)];
    } catch (error) {
      const help = `create it with \`temporal operator namespace create ${namespace}\`, or set TEMPORAL_NAMESPACE`;
      return [server, finding('bad', 'Namespace', `${namespace} does not exist (${oneLineOf(error)}); ${help}.`)];
    }
  } catch (error) {
    return [
      finding('bad', 'Temporal', `Something listens at ${address}, but it is no Temporal server: ${oneLineOf(error)}.`),
    ];
  }
}

async function checkSearchAttributes(temporal: Client): Promise<Finding> {
  const { namespace } = temporal.options;
  const operator = (temporal.connection as typeof temporal.connection & { operatorService: OperatorPort })
    .operatorService;
  const { customAttributes } = await operator.listSearchAttributes({ namespace });
  const missing = ATTRIBUTE_NAMES.filter((name) => !(name in customAttributes));
  if (missing.length === 0) return finding('good', 'Search attributes', ATTRIBUTE_NAMES.join(', '));
  const help = 'workers register them at start where they may; sessions run without them';
  return finding('poor', 'Search attributes', `${missing.join(', ')} not registered; ${help}.`);
}

interface OperatorPort {
  listSearchAttributes(request: { namespace: string }): Promise<{ customAttributes: Record<string, unknown> }>;
}

async function checkEngineWorkers(temporal: Client): Promise<Finding> {
  const [forWorkflows, forActivities] = await Promise.all([
    countPollers(temporal, ENGINE_QUEUE, KIND.workflow),
    countPollers(temporal, ENGINE_QUEUE, KIND.activity),
  ]);
  return toWorkerFinding('Engine workers', ENGINE_QUEUE, Math.min(forWorkflows, forActivities), 'engine');
}

async function checkBrowserWorkers(temporal: Client): Promise<Finding> {
  return toWorkerFinding(
    'Browser workers',
    BROWSERS_QUEUE,
    await countPollers(temporal, BROWSERS_QUEUE, KIND.activity),
    'browser',
  );
}

/**
 * The server remembers a poller for some minutes after its end, so a worker that was killed just now may still count.
 */
async function countPollers(temporal: Client, name: string, taskQueueType: 1 | 2): Promise<number> {
  const { namespace } = temporal.options;
  const { pollers } = await temporal.withDeadline(Date.now() + WITHIN_MS, () =>
    temporal.workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType }),
  );
  return pollers.length;
}

function toWorkerFinding(name: string, queue: string, count: number, role: 'engine' | 'browser'): Finding {
  if (count > 0) return finding('good', name, `${count} ${count === 1 ? 'polls' : 'poll'} ${queue}`);
  return finding('bad', name, `None polls ${queue}; start one with ${asCalled(`worker --role ${role}`)}.`);
}
