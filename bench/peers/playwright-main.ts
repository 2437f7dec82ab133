import { runMain } from '../../runtime/process';
import { buy } from '../naive/flow';

/** Places one order at the shop as a script, and ends. */
runMain('playwright', async () => {
  const [shop = '', run = '', chromium = ''] = process.argv.slice(2);
  await buy(shop, run, chromium);
});
