/** A page, the instruction of a task on it, and the line of the snapshot that the task needs. */
export interface BenchPage {
  name: string;
  path: string;
  goal: string;
  needed: RegExp;
}

const PRODUCTS = ['Arabica', 'Robusta', 'Liberica', 'Excelsa', 'Bourbon', 'Typica', 'Geisha'];

function table(rows: number): string {
  const body = Array.from({ length: rows }, (_, index) => {
    const product = PRODUCTS[index % PRODUCTS.length]!;
    return `<tr><td>Order ${10_000 + index}</td><td>${product}</td><td>${(index * 7) % 90}.00 EUR</td><td>${index % 3 === 0 ? 'sent' : 'open'}</td><td><a href="/orders/${index}">Details</a></td><td><button>Cancel</button></td></tr>`;
  });
  return `<nav><a href="/">Home</a> <a href="/orders">Orders</a></nav><h1>Orders</h1><label>Search <input type="search"></label>
    <table><thead><tr><th>Order</th><th>Product</th><th>Price</th><th>State</th><th></th><th></th></tr></thead><tbody>${body.join('')}</tbody></table>
    <button>Next page</button>`;
}

function form(fields: number): string {
  const body = Array.from({ length: fields }, (_, index) => {
    const label = `Question ${index + 1}`;
    if (index % 5 === 4)
      return `<label>${label} <select><option>Yes</option><option>No</option><option>Not sure</option></select></label>`;
    if (index % 5 === 3) return `<label><input type="checkbox"> ${label}</label>`;
    return `<label>${label} <input name="q${index}" placeholder="Your answer"></label>`;
  });
  return `<h1>Application</h1><form>${body.map((field) => `<p>${field}</p>`).join('')}<button>Send application</button></form>`;
}

function nested(depth: number): string {
  const inner =
    depth === 0
      ? '<label>Card number <input></label><button>Pay now</button>'
      : `<p>Level ${depth}</p><iframe src="/frames/${depth - 1}"></iframe>`;
  return `<h1>Frame ${depth}</h1>${inner}`;
}

/** Serves the generated pages. */
export function generatedPage(path: string): string | undefined {
  const [, kind, number] = /^\/(table|form|frames)\/(\d+)$/.exec(path) ?? [];
  if (kind === 'table') return table(Number(number));
  if (kind === 'form') return form(Number(number));
  if (kind === 'frames') return nested(Number(number));
  return undefined;
}

export const GENERATED: BenchPage[] = [
  ...[100, 1000, 5000].map((rows) => ({
    name: `table of ${rows} rows`,
    path: `/table/${rows}`,
    goal: `Cancel order ${10_000 + Math.floor(rows * 0.7)}`,
    needed: new RegExp(`Order ${10_000 + Math.floor(rows * 0.7)}".*button "Cancel" \\[ref=`),
  })),
  {
    name: 'form of 60 fields',
    path: '/form/60',
    goal: 'Type 7 into "Question 58"',
    needed: /textbox "Question 58" \[ref=/,
  },
  { name: 'six iframes deep', path: '/frames/6', goal: 'Press "Pay now"', needed: /button "Pay now" \[ref=/ },
];

export const SHOP: BenchPage[] = [
  { name: 'shop: products', path: '/', goal: 'Sign in', needed: /\[ref=/ },
  { name: 'shop: form', path: '/parts/form', goal: 'Type Ada into Nickname', needed: /textbox "Nickname" \[ref=/ },
  { name: 'shop: table', path: '/parts/table', goal: 'Read the table', needed: /row .*\[ref=/ },
  { name: 'shop: iframe', path: '/parts/iframe', goal: 'Read the frame', needed: /\[ref=f\d+e\d+/ },
  { name: 'shop: shadow DOM', path: '/parts/shadow', goal: 'Press the button', needed: /button .*\[ref=/ },
  { name: 'shop: long page', path: '/parts/long', goal: 'Go to the end', needed: /\[ref=/ },
];
