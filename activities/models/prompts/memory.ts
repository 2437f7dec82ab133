/** What a model wrote down for later calls (`context.memory`); undefined where it wrote nothing. */
export function memoryOf(context: Record<string, unknown> | undefined): string | undefined {
  const memory = context?.['memory'];
  return typeof memory === 'string' && memory.trim() !== '' ? memory : undefined;
}
