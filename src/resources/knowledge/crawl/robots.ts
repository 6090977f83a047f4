import { FetchFailure, unreachable } from '../../../platform/outbound/fetch-failure.ts';
import { normalEscapes } from '../fetch/percent-encoding.ts';
import { type FetchOptions, productToken, type Wall } from '../fetch/wall.ts';

/** Bytes; RFC 9309 section 2.5 asks crawlers to read at least as much. */
const longestFile = 500 * 1024;
/** Milliseconds. A site cannot ask for a longer Crawl-delay. */
const longestDelay = 10_000;

interface Rule {
  readonly allow: boolean;
  readonly length: number;
  /** The parts between `*`, which a path has to contain in this order. */
  readonly parts: readonly string[];
  readonly toEnd: boolean;
}

interface Group {
  named: boolean;
  readonly rules: Rule[];
  delay: number;
}

/**
 * The rules of a robots.txt for Parley (RFC 9309), and its Crawl-delay. This replaces robots-parser 3.0.1, which takes
 * seconds for one URL with patterns like `*a*a*a` and does not match `%62ar` with `bar`.
 */
export class RobotsRules {
  /** Milliseconds to wait between two pages, at most 10,000. */
  readonly delay: number;
  /** The longest first; of two equally long ones, the one that allows. */
  readonly #rules: readonly Rule[];

  /** @param text the file; without it everything is allowed */
  constructor(text = '') {
    const { rules, delay } = groupOf(text);
    this.delay = delay;
    this.#rules = rules.toSorted((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
  }

  /** @param url absolute, on the host of the robots.txt */
  allows(url: string): boolean {
    const { pathname, search } = new URL(url);
    if (pathname === '/robots.txt') return true;
    const path = comparable(pathname + search);
    return this.#rules.find((rule) => matches(rule, path))?.allow ?? true;
  }
}

/**
 * Fetches the rules of a URL's host. If the site has none (a 4xx, endless redirects), everything is allowed.
 * @throws FetchFailure if they cannot be fetched now, so that nothing of the site may be; or the signal's reason
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

/** The group that names Parley; without one, the group for all crawlers. */
function groupOf(text: string): Group {
  const ours: Group = { named: false, rules: [], delay: 0 };
  const everyone: Group = { named: false, rules: [], delay: 0 };
  let reading = new Set<Group>();
  let namesEnded = true;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? [];
    const content = value.trim();
    switch (key.toLowerCase()) {
      case 'user-agent': {
        if (namesEnded) reading = new Set();
        namesEnded = false;
        const token = /^[a-z_-]*/i.exec(content)?.[0].toLowerCase();
        const group = content.startsWith('*') ? everyone : ours;
        if (group === ours && token !== productToken.toLowerCase()) break;
        group.named = true;
        reading.add(group);
        break;
      }
      case 'allow':
      case 'disallow':
        namesEnded = true;
        if (content !== '') for (const group of reading) group.rules.push(ruleOf(key, content));
        break;
      case 'crawl-delay':
        namesEnded = true;
        for (const group of reading) group.delay = delayOf(content);
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

/** Escapes a path or a part of a pattern, so that literal `*` and `$` differ from those of the pattern. */
function comparable(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]|[*$]/gu, (character) =>
    /[*$]/.test(character)
      ? `%2${character === '*' ? 'A' : '4'}`
      : encodeURIComponent(character.toWellFormed()),
  );
  return normalEscapes(escaped);
}

/** In milliseconds. */
function delayOf(text: string): number {
  const seconds = Number(text);
  return seconds > 0 ? Math.min(seconds * 1_000, longestDelay) : 0;
}

/** Takes time proportional to the path, whatever the pattern. */
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
