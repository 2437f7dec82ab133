import { z } from 'zod';
import { announceReady, createLogger, runMain, shutdownRequested } from '../../runtime/process';
import { startShop } from './serve';

const PortSchema = z.coerce.number().int().min(0).max(65_535);

runMain('shop', async () => {
  const logger = createLogger('shop');
  const wanted = PortSchema.safeParse(process.env['SHOP_PORT'] ?? 0);
  if (!wanted.success) {
    throw new Error(`SHOP_PORT must be a port from 0 to 65535, got ${process.env['SHOP_PORT']}.`);
  }
  const stop = shutdownRequested();
  const shop = await startShop({ port: wanted.data });
  logger.info({ url: shop.url }, 'shop is open');
  announceReady({ port: shop.port, address: shop.url });
  await stop;
  await shop.close();
  logger.info('shop is closed');
});
