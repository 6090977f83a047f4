import { createContext } from 'react';

/** False if a part of the Studio stands alone, because a link to another page would then lead nowhere. */
export const HasPages = createContext(true);
