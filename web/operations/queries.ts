import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { PeriodSchema, type Period } from '../../contracts/modules/operations';
import { client } from '../connection/client';

/** A month is summed up for longer, and changes less. */
const REFRESH_MS: Record<Period, number> = { day: 10_000, week: 10_000, month: 30_000 };

export type Figures = Awaited<ReturnType<typeof client.showOperations>>;

/** The days are those of the reader. */
const { timeZone: zoneOfReader } = Intl.DateTimeFormat().resolvedOptions();
/** Where a browser does not know its zone, it gives a name that is none. */
const timeZone = zoneOfReader === 'Etc/Unknown' ? 'UTC' : zoneOfReader;

/** The figures of the period and tenant that stand in the address, read again while somebody looks. */
export function useOperations() {
  const [params, setParams] = useSearchParams();
  const asked = PeriodSchema.safeParse(params.get('period'));
  const period: Period = asked.success ? asked.data : 'week';
  const tenant = params.get('tenant') ?? '';
  const choose = (name: 'period' | 'tenant', value: string): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '' || value === 'week') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: name === 'tenant' },
    );
  const query = useQuery({
    queryKey: ['operations', period, tenant],
    queryFn: () =>
      client.showOperations({ period, timeZone, ...(tenant.trim() === '' ? {} : { tenant: tenant.trim() }) }),
    refetchInterval: REFRESH_MS[period],
    placeholderData: keepPreviousData,
  });
  return { ...query, period, tenant, choose, timeZone };
}
