import path from 'node:path';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:8080';

/** Builds the Studio, and serves it while you work on it (`npm run studio`), with a server on port 8080 behind it. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'studio'),
  base: '/studio/',
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows no `data:` scripts or styles, and inlined files would not be cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // KB: LiveKit's client is one module, which only calls load.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      onLog(level, log, pass) {
        // Components for the browser say that they are not for a server.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
        pass(level === 'warn' ? 'error' : level, log);
      },
    },
  },
  server: {
    proxy: {
      '/v1': server,
      '^/$': server,
      '/studio/demo-key': server,
    },
  },
});
