/** What is wrong with the address of a website (`decisions` 7); undefined where nothing is. What it leads to is not looked at here. */
export function urlProblem(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return 'Expected an http or https URL.';
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return 'Expected a URL without user and password.';
  return undefined;
}
