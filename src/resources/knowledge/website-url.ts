/** The problem of a website's address; undefined if there is none. The fetch wall checks the host later. */
export function urlProblem(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return 'Expected an http or https URL.';
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return 'Expected a URL without user and password.';
  return undefined;
}
