import { z } from 'zod';
import { defineTool } from '../../contracts/tools/define-tool';

/**
 * Two custom tools. Start the engine with SUREFOOT_TOOLS=dist/examples/tools/stock.js, and tasks can use them beside
 * the browser: “find the price of the desk lamp in the shop, and reserve two if there are enough in stock”.
 */
const shelf = new Map([
  ['desk lamp', 7],
  ['notebook', 120],
]);

/** Reads only: it may run in parallel with other calls, and again after a worker died. */
export const stock = defineTool({
  name: 'stock',
  description: 'How many of a product are in stock',
  parameters: z.strictObject({ product: z.string().min(1) }),
  classification: 'read',
  execute: ({ product }) => {
    const count = shelf.get(product.toLowerCase());
    return count === undefined ? `There is no product “${product}”.` : `${count} of ${product} are in stock.`;
  },
});

/** Changes something: it requires an approval, and never runs again after a crash. */
export const reserve = defineTool({
  name: 'reserve',
  description: 'Reserves some of a product',
  parameters: z.strictObject({ product: z.string().min(1), count: z.int().min(1).max(100) }),
  classification: 'destructive',
  confirm: ({ product, count }) => `Reserve ${count} of ${product}.`,
  execute: async ({ product, count }, { updateOutput }) => {
    const left = (shelf.get(product.toLowerCase()) ?? 0) - count;
    if (left < 0) throw new Error(`There are not ${count} of ${product}.`);
    updateOutput(`${left} would be left\n`);
    shelf.set(product.toLowerCase(), left);
    return {
      llmContent: `Reserved ${count} of ${product}; ${left} are left.`,
      returnDisplay: `Reserved ${count}`,
      summary: `Reserved ${count} of ${product}`,
    };
  },
});
