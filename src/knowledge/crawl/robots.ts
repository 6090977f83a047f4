import { FetchFailure, unreachable } from '../fetch/fetch-failure.ts';
import { normalEscapes } from '../fetch/percent-encoding.ts';
import { type FetchOptions, productToken, type Wall } from '../fetch/wall.ts';

/** Bytes; RFC 9309 2.5 asks for as much at least. */
const longestFile = 500 * 1024;
/** Milliseconds that a site may make us wait between two pages. */
const longestDelay = 10_000;

interface Rule {
  readonly allow: boolean;
  readonly length: number;
  /** What has to stand in the path in this order, with anything between. */
  readonly parts: readonly string[];
  readonly toEnd: boolean;
}

interface Group {
  named: boolean;
  readonly rules: Rule[];
  delay: number;
}

/**
 * What a robots.txt asks of Parley (RFC 9309), and its Crawl-delay. Own code: robots-parser 3.0.1 takes seconds for
 * one URL on a file of `*a*a*a`, and reads `%62ar` as something else than `bar`.
 */
export class RobotsRules {
  /** Milliseconds to wait between two pages, 10,000 at most. */
  readonly delay: number;
  /** The longest first, and of two alike the one that allows. */
  readonly #rules: readonly Rule[];

  /** @param text undefined: the site has none, and everything is allowed */
  constructor(text = '') {
    const { rules, delay } = groupOf(text);
    this.delay = delay;
    this.#rules = rules.toSorted((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
  }

  /** @param url absolute, of the host whose file it is */
  allows(url: string): boolean {
    const { pathname, search } = new URL(url);
    if (pathname === '/robots.txt') return true;
    const path = comparable(pathname + search);
    return this.#rules.find((rule) => matches(rule, path))?.allow ?? true;
  }
}

/**
 * Fetches the rules of a URL's host. Where the site says that it has none (a 4xx, a redirect without end), all is
 * allowed.
 * @throws FetchFailure where they cannot be had now: until they can, nothing may be fetched; or the signal's reason
 */
export async function readRobots(
  wall: Wall,
  url: string,
  options: Pick<FetchOptions, 'signal' | 'job'>,
): Promise<RobotsRules> {
  try {
    const { bytes } = await wall.fetch(new URL('/robots.txt', url).href, {
      ...options,
      enough: longestFile,
    });
    return new RobotsRules(new TextDecoder().decode(bytes.subarray(0, longestFile)));
  } catch (error) {
    if (error instanceof FetchFailure && error.final && error.message !== unreachable)
      return new RobotsRules();
    throw error;
  }
}

/** The rules for Parley by name; where there are none, those for all. */
function groupOf(text: string): Group {
  const ours: Group = { named: false, rules: [], delay: 0 };
  const everyone: Group = { named: false, rules: [], delay: 0 };
  let reading = new Set<Group>();
  let namesEnded = true;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? [];
    const said = value.trim();
    switch (key.toLowerCase()) {
      case 'user-agent': {
        if (namesEnded) reading = new Set();
        namesEnded = false;
        const token = /^[a-z_-]*/i.exec(said)?.[0].toLowerCase();
        const group = said.startsWith('*') ? everyone : ours;
        if (group === ours && token !== productToken.toLowerCase()) break;
        group.named = true;
        reading.add(group);
        break;
      }
      case 'allow':
      case 'disallow':
        namesEnded = true;
        if (said !== '') for (const group of reading) group.rules.push(ruleOf(key, said));
        break;
      case 'crawl-delay':
        namesEnded = true;
        for (const group of reading) group.delay = delayOf(said);
    }
  }
  return ours.named ? ours : everyone;
}

function ruleOf(key: string, pattern: string): Rule {
  const toEnd = pattern.endsWith('$');
  const text = toEnd ? pattern.slice(0, -1) : pattern;
  const parts = text.split(/\*+/).map(comparable);
  return {
    allow: key.toLowerCase() === 'allow',
    length: parts.join('*').length + Number(toEnd),
    parts,
    toEnd,
  };
}

/** Escaped as far as it can be told from what a pattern's own `*` and `$` mean. */
function comparable(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]|[*$]/gu, (character) =>
    /[*$]/.test(character)
      ? `%2${character === '*' ? 'A' : '4'}`
      : encodeURIComponent(character.toWellFormed()),
  );
  return normalEscapes(escaped);
}

function delayOf(said: string): number {
  const seconds = Number(said);
  return seconds > 0 ? Math.min(seconds * 1_000, longestDelay) : 0;
}

/** In time that grows with the path, whatever the pattern. */
function matches({ parts, toEnd }: Rule, path: string): boolean {
  const [start = '', ...rest] = parts;
  if (!path.startsWith(start)) return false;
  let at = start.length;
  const end = toEnd ? rest.pop() : undefined;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!toEnd) return true;
  return end === undefined ? at === path.length : path.length - end.length >= at && path.endsWith(end);
}
