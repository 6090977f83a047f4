/** A table of what was seen; a line that is not as it should be makes the run fail. */
export function openTable() {
  let good = true;
  console.log('| what | seen |\n|---|---|');
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
