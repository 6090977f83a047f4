import path from 'node:path';
import { defineConfig } from 'vite';
import { oneDocument } from './one-document.ts';

/** Builds the page that MCP hosts show for a design: one HTML document that loads nothing. */
export const designApp = defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [oneDocument()],
  build: {
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: path.join(import.meta.dirname, 'design-app.html'),
      output: { codeSplitting: false },
      onLog(level, log, pass) {
        // Components for the browser say that they are not for a server.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
        pass(level === 'warn' ? 'error' : level, log);
      },
    },
  },
});
