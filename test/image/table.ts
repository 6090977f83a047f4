/** Prints a Markdown table row by row. `isGood` returns false once a row was wrong. */
export function openTable() {
  let good = true;
  console.log('| check | result |\n|---|---|');
  return {
    row(what: string, seen: string, isGood: boolean): void {
      good &&= isGood;
      console.log(
        `| ${what} | ${seen.replaceAll('|', '\\|').replaceAll('\n', ' ')}${isGood ? '' : ': **WRONG**'} |`,
      );
    },
    isGood: () => good,
  };
}

export type Table = ReturnType<typeof openTable>;
