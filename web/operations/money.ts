/** `$12.34`; small amounts finer, as calls of models are cheap. */
export function dollars(amount: number | string): string {
  const value = Number(amount);
  return `$${value.toFixed(value > 0 && value < 0.1 ? 4 : 2)}`;
}
