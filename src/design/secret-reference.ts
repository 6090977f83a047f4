/** `{{secret.NAME}}`, which stands for the value of a secret of the project (`decisions#secrets`). */
const reference = /\{\{\s*secret\.([^{}]*)\}\}/g;
const leadingReference = /^\{\{\s*secret\.([^{}]*)\}\}/;

/** The names of the secrets to which a text refers. */
export function secretNamesIn(text: string): string[] {
  return [...text.matchAll(reference)].map(([, name = '']) => name.trim());
}

/** The text with what `valueFor` returns in place of each reference. */
export function withSecrets(text: string, valueFor: (name: string) => string): string {
  return text.replaceAll(reference, (_, name: string) => valueFor(name.trim()));
}

/** True if a URL begins with a secret, which then may be a whole address. Only a run knows its host. */
export function beginsWithSecret(url: string): boolean {
  return leadingReference.test(url);
}

/** The URL with the value of the secret that it begins with. If that has no value, the reference stays. */
export function withLeadingSecret(url: string, valueFor: (name: string) => string | undefined): string {
  return url.replace(leadingReference, (written, name: string) => valueFor(name.trim()) ?? written);
}
