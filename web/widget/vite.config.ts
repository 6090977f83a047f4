import path from 'node:path';
import { defineConfig } from 'vite';

/** Browsers since the spring of 2024. Older ones would get a copy of each colour for the dark theme. */
const target = ['chrome123', 'firefox120', 'safari17.5'];

/** Builds the widget: one file, with its styles. */
export const widget = defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target,
    lib: { entry: 'main.ts', formats: ['iife'], name: 'parleyWidget', fileName: () => 'widget.js' },
    reportCompressedSize: false,
  },
});

/** Builds the page on which people try the widget. */
export const tryPage = defineConfig({
  root: path.join(import.meta.dirname, 'try'),
  base: '/widget/',
  build: {
    target,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
