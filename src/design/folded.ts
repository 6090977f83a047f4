/** A text in the form in which texts are compared: in lower case, without accents, with plain spaces. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/\s/gu, ' ');
}
