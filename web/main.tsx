import './no-code-from-text';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { ApiError } from '../client/http/api-error';
import { SIGN_IN, signInByAddress } from './connection/sign-in';

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A cookie that has expired shows first in an answer: the form comes at once, and the view comes back behind it.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) void queries.invalidateQueries({ queryKey: SIGN_IN });
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 1000, refetchOnWindowFocus: true } },
});

// Before anything is asked for: the key in the address is spent and removed first.
void signInByAddress().then((problem) =>
  createRoot(document.getElementById('page')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App signInProblem={problem} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
