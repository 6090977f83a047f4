import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';

/**
 * Puts the script and the styles of a page into its HTML, behind a Content-Security-Policy that allows these two and
 * nothing else: no other script, no request, no frame. Hosts add their own policy, which can only forbid more.
 */
export function oneDocument(): Plugin {
  return {
    name: 'one-document',
    enforce: 'post',
    generateBundle(_, bundle) {
      const { document, script, styles } = partsOf(Object.values(bundle));
      const code = script.code
        .replaceAll('</script', String.raw`<\/script`)
        .replaceAll('<!--', String.raw`<\!--`);
      const css = String(styles.source);
      const policy = [
        "default-src 'none'",
        `script-src ${sourceOf(code)}`,
        `style-src ${sourceOf(css)}`,
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      document.source = String(document.source)
        .replace(/<script type="module"[^>]*><\/script>/, '')
        .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
        .replace('<head>', () => `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('</body>', () => `<script type="module">${code}</script></body>`);
      delete bundle[script.fileName];
      delete bundle[styles.fileName];
    },
  };
}

/** @throws if the build made any other file, which the document could not load */
function partsOf(files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]) {
  const scripts = files.filter((file) => file.type === 'chunk');
  const assets = files.filter((file) => file.type === 'asset');
  const document = assets.find(({ fileName }) => fileName.endsWith('.html'));
  const styles = assets.find(({ fileName }) => fileName.endsWith('.css'));
  const [script] = scripts;
  if (!document || !styles || !script || files.length !== 3)
    throw new Error(
      `The page must be one document, not ${files.map(({ fileName }) => fileName).join(', ')}.`,
    );
  return { document, styles, script };
}

/** A source of a Content-Security-Policy: the hash of an inline text (CSP Level 3, section 2.3.1). */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
