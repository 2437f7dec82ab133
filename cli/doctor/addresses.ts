import { findPortOwner } from '../stack/ports/port-owner';
import { stackPorts, type PortSetting } from '../stack/ports/ports';
import type { StackFile } from '../../runtime/settings/stack-file';
import { oneLineOf } from '../context/failure';
import { asCalled } from '../terminal/as-called';
import { finding, type Finding } from './check';

const WITHIN_MS = 3000;

/** Checks that the API and the shop of the stack of this folder answer, and says who has their usual ports. */
export async function checkAddresses({ api, shop }: Pick<StackFile, 'api' | 'shop'>): Promise<Finding[]> {
  const checks = [
    // 503 is an answer too: the other checks say what is missing.
    ...(api === undefined ? [] : [check('API', 'bad', api, `${api}/health`, stackPorts.api)]),
    ...(shop === undefined ? [] : [check('Shop', 'poor', shop, shop, stackPorts.shop)]),
  ];
  return await Promise.all(checks);
}

async function check(
  name: string,
  health: 'poor' | 'bad',
  address: string,
  url: string,
  { preferred }: PortSetting,
): Promise<Finding> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) });
  } catch (error) {
    const help = `${asCalled('ps')} shows whether its process runs`;
    return finding(health, name, `Nothing answers at ${address} (${oneLineOf(error)}); ${help}.`);
  }
  const owner = address.endsWith(`:${preferred}`) ? undefined : await findPortOwner(preferred);
  const other = owner === undefined ? '' : `; port ${preferred} belongs to ${owner}`;
  return finding('good', name, `answers at ${address}${other}`);
}
