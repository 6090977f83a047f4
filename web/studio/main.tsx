import '../ui/styles/tokens.css';
import '../ui/styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { queryClient } from '../api/query-client.ts';
import { ToastProvider } from '../ui/toasts.tsx';
import { SessionProvider } from './session/session-provider.tsx';
import { Shell } from './shell/shell.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Router base="/studio">
          <ToastProvider>
            <SessionProvider>
              <Shell />
            </SessionProvider>
          </ToastProvider>
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
