/** Replaces variables, tags and other parts that callers do not hear as written. */
export const unspoken = '\u{FFFC}';

/**
 * Normalises a line for comparison: one form of quotes, hyphens, spaces and compatibility characters, no invisible
 * characters, and {@link unspoken} for `{{variables}}`, other placeholders and tags.
 */
export function normalise(line: string): string {
  return line
    .replaceAll(/[\u00B4\u0060\u02B9\u02BB\u02BC\u2018\u2019\u201B\u2032\uFF07]/g, "'")
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\u115F\u1160]|\p{Variation_Selector}|\u034F|\u17B4|\u17B5/gu, '')
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\{\{[^{}]*\}\}|\{[^{}]*\}|\[[^[\]]*\]|<[/!a-z][^<>]*>/gi, ` ${unspoken} `)
    .replaceAll(/[\u2010\u2011\u2043]/g, '-')
    .replaceAll(/[\u2012-\u2015\u2212]|(?<= )-+(?= )|--+/g, ' – ')
    .replaceAll(/[\u201A\u201C-\u201F\u00AB\u00BB\u2039\u203A\u300C-\u300F]/g, '"');
}
