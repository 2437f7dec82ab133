import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { CATALOGUE, CATALOGUE_PAGE, findProduct, searchProducts, SIZES } from './catalogue';
import { pause } from './faults';
import { formText } from './form-text';
import { cartPage, cataloguePage, homePage, missingPage, productPage, resultList, resultsPage } from './shopping-pages';
import type { ShopEnv } from './visitors';

const CartFormSchema = z.object({
  slug: z.string().refine((slug) => findProduct(slug) !== undefined),
  size: z.enum(SIZES),
  quantity: z.coerce.number().int().min(1).max(9),
});

const CataloguePageSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(CATALOGUE.length / CATALOGUE_PAGE)
  .default(1);

/** The whole range, page by page; it needs no sign-in. */
export function catalogueRoutes(): Hono<ShopEnv> {
  return new Hono<ShopEnv>().get('/catalogue', (c) => {
    const { success, data: page } = CataloguePageSchema.safeParse(c.req.query('page'));
    if (!success) return c.html(missingPage(c.get('visitor')), 404);
    return c.html(cataloguePage(c.get('visitor'), page));
  });
}

/** The pages from search to cart. Results are delayed on purpose: the page loads before its content. */
export function shoppingRoutes({ searchDelayMs }: { searchDelayMs: number }): Hono<ShopEnv> {
  return new Hono<ShopEnv>()
    .get('/', (c) => c.html(homePage(c.get('visitor'))))
    .get('/search', (c) => c.html(resultsPage(c.get('visitor'), c.req.query('q') ?? '')))
    .get('/search/results', async (c) => {
      const query = c.req.query('q') ?? '';
      await pause(searchDelayMs);
      return c.html(resultList(query, searchProducts(query)));
    })
    .get('/products/:slug', (c) => {
      const product = findProduct(c.req.param('slug'));
      if (product === undefined) return c.html(missingPage(c.get('visitor')), 404);
      return c.html(productPage(c.get('visitor'), product));
    })
    .get('/cart', (c) => c.html(cartPage(c.get('visitor'), findProduct(c.req.query('added') ?? ''))))
    .post('/cart', async (c) => {
      const visitor = c.get('visitor');
      const body = await c.req.parseBody();
      const line = CartFormSchema.safeParse(body);
      if (!line.success) {
        const product = findProduct(formText(body['slug']));
        if (product === undefined) return c.html(missingPage(visitor), 404);
        return c.html(productPage(visitor, product, 'Choose a size and a quantity from 1 to 9'), 422);
      }
      visitor.cart.push({ id: randomUUID(), ...line.data });
      return c.redirect(`/cart?added=${line.data.slug}`, 303);
    })
    .post('/cart/remove', async (c) => {
      const visitor = c.get('visitor');
      const { line } = await c.req.parseBody();
      visitor.cart = visitor.cart.filter(({ id }) => id !== line);
      return c.redirect('/cart', 303);
    });
}
