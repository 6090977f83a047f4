import { type Language, languageOf, rightToLeft } from './languages.ts';

/** What the author of a page sets on the script element of the widget. */
export interface Settings {
  /** The address of the server, with a slash at the end. */
  readonly server: string;
  readonly webAgentId: string;
  readonly key: string;
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly side: 'left' | 'right';
  readonly theme: 'auto' | 'light' | 'dark';
  /** True if visitors may speak. */
  readonly voice: boolean;
  readonly title?: string | undefined;
  readonly greeting?: string | undefined;
  /** A CSS colour. */
  readonly color?: string | undefined;
}

/**
 * Reads the `data-` attributes of the script element.
 * @throws Error that tells the author which attribute is missing or wrong
 */
export function readSettings(script: HTMLScriptElement): Settings {
  const { dataset } = script;
  const { webAgent, key, title, greeting, color } = dataset;
  if (!webAgent) throw new Error('The script element needs data-web-agent: the id of a web agent.');
  if (!key) throw new Error('The script element needs data-key: a publishable key (parley_pk_…).');
  if (!key.startsWith('parley_pk_'))
    throw new Error('data-key must be a publishable key (parley_pk_…). Never put a secret key into a page.');
  if (color !== undefined && !CSS.supports('color', color))
    throw new Error(`data-color is "${color}", which is not a CSS colour.`);
  const page = document.documentElement;
  const language = languageOf(dataset['language'] ?? (page.lang || navigator.language));
  const pageIsRightToLeft = dataset['language'] === undefined && getComputedStyle(page).direction === 'rtl';
  const direction = pageIsRightToLeft || rightToLeft.has(language) ? 'rtl' : 'ltr';
  return {
    server: new URL(dataset['server'] ?? '.', script.src || document.baseURI).href.replace(/\/*$/, '/'),
    webAgentId: webAgent,
    key,
    language,
    direction,
    side: oneOf(dataset, 'position', ['right', 'left']) ?? (direction === 'rtl' ? 'left' : 'right'),
    theme: oneOf(dataset, 'theme', ['auto', 'light', 'dark']) ?? 'auto',
    voice: oneOf(dataset, 'voice', ['on', 'off']) === 'on',
    title,
    greeting,
    color,
  };
}

function oneOf<Value extends string>(
  dataset: DOMStringMap,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = dataset[name];
  if (given === undefined) return undefined;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new Error(`data-${name} is "${given}"; it may be ${values.join(' or ')}.`);
  return found;
}
