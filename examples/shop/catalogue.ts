export interface Product {
  slug: string;
  name: string;
  kind: 'footwear' | 'clothing' | 'gear';
  /** In whole dollars, so that totals stay exact. */
  price: number;
  text: string;
}

export const SIZES = ['S', 'M', 'L'] as const;

export const PRODUCTS: readonly Product[] = [
  {
    slug: 'trail-shoe',
    name: 'Trail Shoe',
    kind: 'footwear',
    price: 89,
    text: 'Grippy and light, for dry and muddy paths.',
  },
  {
    slug: 'trail-socks',
    name: 'Trail Socks',
    kind: 'footwear',
    price: 14,
    text: 'Merino socks that keep dust and blisters out.',
  },
  {
    slug: 'hiking-boot',
    name: 'Hiking Boot',
    kind: 'footwear',
    price: 149,
    text: 'High leather boot for long days with a pack.',
  },
  { slug: 'camp-sandal', name: 'Camp Sandal', kind: 'footwear', price: 39, text: 'Easy on, easy off, after the walk.' },
  {
    slug: 'rain-jacket',
    name: 'Rain Jacket',
    kind: 'clothing',
    price: 119,
    text: 'Three layers, taped seams, packs into its pocket.',
  },
  {
    slug: 'wind-vest',
    name: 'Wind Vest',
    kind: 'clothing',
    price: 59,
    text: 'Thin vest for ridges and early mornings.',
  },
  {
    slug: 'wool-hat',
    name: 'Wool Hat',
    kind: 'clothing',
    price: 24,
    text: 'Warm, soft and impossible to lose: it is orange.',
  },
  {
    slug: 'trail-gloves',
    name: 'Trail Gloves',
    kind: 'clothing',
    price: 29,
    text: 'Touch-screen fingertips and a firm palm.',
  },
  { slug: 'head-torch', name: 'Head Torch', kind: 'gear', price: 45, text: '400 lumens, red light, 30 hours on low.' },
  {
    slug: 'day-pack',
    name: 'Day Pack',
    kind: 'gear',
    price: 79,
    text: '22 litres, a back that breathes, a rain cover.',
  },
  { slug: 'water-flask', name: 'Water Flask', kind: 'gear', price: 32, text: 'Keeps tea hot for twelve hours.' },
  { slug: 'walking-poles', name: 'Walking Poles', kind: 'gear', price: 69, text: 'A folding pair in light aluminium.' },
];

export function findProduct(slug: string): Product | undefined {
  return [...PRODUCTS, ...CATALOGUE].find((product) => product.slug === slug);
}

/** Finds products whose name or text has every word of the query; an empty query finds all. */
export function searchProducts(query: string): Product[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return PRODUCTS.filter(({ name, text }) => words.every((word) => `${name} ${text}`.toLowerCase().includes(word)));
}

export function priceText(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}

const MAKES = ['Alder', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel', 'Larch', 'Maple', 'Oak', 'Pine'] as const;

/** The whole range: each product of the season by ten makers, for pages of a long list. */
export const CATALOGUE: readonly Product[] = MAKES.flatMap((make, index) =>
  PRODUCTS.map((product) => ({
    ...product,
    slug: `${make.toLowerCase()}-${product.slug}`,
    name: `${make} ${product.name}`,
    price: product.price + index,
  })),
);
export const CATALOGUE_PAGE = 20;
