export function optionIn(
  text: string,
  options: readonly { id: string; title: string; description: string }[],
): string | null {
  return options.find(({ title }) => text.includes(title))?.id ?? null;
}
