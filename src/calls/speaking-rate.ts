/** Characters that are spoken in a second: 150 words a minute, which is usual in conversation. */
export const charactersPerSecond = 15;
