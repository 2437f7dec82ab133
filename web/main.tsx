import './no-code-from-text';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { signInByAddress } from './connection/sign-in';

const queries = new QueryClient({
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
