import { html } from 'hono/html';
import { CATALOGUE, CATALOGUE_PAGE, PRODUCTS, priceText, SIZES, type Product } from './catalogue';
import { itemsOf, totalOf } from './cart';
import { layout, type Html } from './layout';
import type { Visitor } from './visitors';

export function homePage(visitor: Visitor): Html {
  return layout({
    title: 'Home',
    visitor,
    body: html`<section class="hero">
        <h1>Gear for every path</h1>
        ${searchForm('')}
      </section>
      <h2>Favourites</h2>
      ${productGrid(PRODUCTS.filter(({ slug }) => ['hiking-boot', 'rain-jacket', 'head-torch', 'day-pack'].includes(slug)))}`,
  });
}

export function resultsPage(visitor: Visitor, query: string): Html {
  return layout({
    title: 'Search',
    visitor,
    body: html`<h1>Search results</h1>
      ${searchForm(query)}
      <div id="results"><p role="status">Loading…</p></div>
      <script>
        const results = document.getElementById('results');
        async function load() {
          try {
            const answer = await fetch('/search/results' + location.search);
            if (!answer.ok) throw new Error(String(answer.status));
            results.innerHTML = await answer.text();
          } catch {
            results.innerHTML =
              '<p class="alert" role="alert">The results could not be loaded.</p><button>Try again</button>';
            results.querySelector('button').onclick = () => {
              results.innerHTML = '<p role="status">Loading…</p>';
              load();
            };
          }
        }
        load();
      </script>`,
  });
}

export function resultList(query: string, products: Product[]): Html {
  const count = products.length === 1 ? '1 result' : `${products.length} results`;
  return html`<p role="status">${count} for “${query}”</p>
    ${productGrid(products)}`;
}

/** One page of the whole range, with what leads to the others. */
export function cataloguePage(visitor: Visitor, page: number): Html {
  const first = (page - 1) * CATALOGUE_PAGE;
  const products = CATALOGUE.slice(first, first + CATALOGUE_PAGE);
  const pages = CATALOGUE.length / CATALOGUE_PAGE;
  return layout({
    title: 'Catalogue',
    visitor,
    body: html`<h1>Catalogue</h1>
      <p role="status">${first + 1}–${first + products.length} of ${CATALOGUE.length} products</p>
      ${productGrid(products)}
      <nav aria-label="Pages">
        ${page > 1 ? html`<a rel="prev" href="/catalogue?page=${page - 1}">Previous</a>` : ''}
        <span>Page ${page} of ${pages}</span>
        ${page < pages ? html`<a rel="next" href="/catalogue?page=${page + 1}">Next</a>` : ''}
      </nav>`,
  });
}

export function productPage(visitor: Visitor, product: Product, problem?: string): Html {
  return layout({
    title: product.name,
    visitor,
    body: html`<article class="product">
      ${picture(product)}
      <div>
        <h1>${product.name}</h1>
        <p class="price">${priceText(product.price)}</p>
        <p>${product.text}</p>
        ${problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`}
        <form method="post" action="/cart" class="stack">
          <input type="hidden" name="slug" value="${product.slug}" />
          <label for="size">Size</label>
          <select id="size" name="size">
            ${SIZES.map((size) => html`<option>${size}</option>`)}
          </select>
          <label for="quantity">Quantity</label>
          <input id="quantity" name="quantity" type="number" min="1" max="9" value="1" />
          <button>Add to cart</button>
        </form>
      </div>
    </article>`,
  });
}

export function cartPage(visitor: Visitor, added: Product | undefined): Html {
  const body =
    visitor.cart.length === 0 ? html`<p>Your cart is empty. <a href="/">Find something</a></p>` : cartTable(visitor);
  return layout({
    title: 'Cart',
    visitor,
    body: html`<h1>Cart</h1>
      ${added === undefined ? '' : html`<p class="notice" role="status">Added to cart: ${added.name}</p>`} ${body}`,
  });
}

export function missingPage(visitor: Visitor): Html {
  return layout({
    title: 'Not found',
    visitor,
    body: html`<h1>Not found</h1>
      <p>There is no such page. <a href="/">Go to the home page</a></p>`,
  });
}

function cartTable(visitor: Visitor): Html {
  const items = itemsOf(visitor.cart);
  return html`<table>
      <caption class="hidden">
        Items in your cart
      </caption>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col">Size</th>
          <th scope="col">Quantity</th>
          <th scope="col">Price</th>
          <th scope="col"><span class="hidden">Action</span></th>
        </tr>
      </thead>
      <tbody>
        ${visitor.cart.map((line, index) => {
          const { name, price } = items[index]!;
          return html`<tr>
            <th scope="row">${name}</th>
            <td>${line.size}</td>
            <td>${line.quantity}</td>
            <td>${priceText(price * line.quantity)}</td>
            <td>
              <form method="post" action="/cart/remove">
                <input type="hidden" name="line" value="${line.id}" />
                <button class="plain">Remove</button>
              </form>
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p class="total">Total: <strong>${priceText(totalOf(items))}</strong></p>
    <p><a class="button" href="/checkout">Checkout</a></p>`;
}

function searchForm(query: string): Html {
  return html`<form class="search" role="search" action="/search">
    <label for="search">Search</label>
    <input id="search" name="q" type="search" value="${query}" />
    <button>Search</button>
  </form>`;
}

function productGrid(products: Product[]): Html {
  return html`<ul class="grid">
    ${products.map(
      (product) =>
        html`<li class="card">
          ${picture(product)}
          <h3><a href="/products/${product.slug}">${product.name}</a></h3>
          <p class="price">${priceText(product.price)}</p>
          <p class="quiet">${product.text}</p>
        </li>`,
    )}
  </ul>`;
}

function picture({ kind }: Product): Html {
  return html`<svg class="picture ${kind}" viewBox="0 0 160 90" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <circle cx="122" cy="24" r="11" />
    <path d="M0 90 48 34 76 66 104 44 160 90Z" />
    <path d="M0 90 30 66 62 90Z" />
  </svg>`;
}
